// @suite policy-long
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import type { ActionView } from '@beadloom/core/api/people/people-api.ts'
import { beadloom } from '../support/command-line.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Several people at one server, signed in by a proxy that is this test, and their traces in a backup. */
const config = {
  people: {
    address: 'https://beads.example.org',
    proxies: ['127.0.0.1'],
    header: {},
    roles: { viewer: { people: ['*'] }, runner: { people: ['ruth'] }, admin: { people: ['ada'] } },
  },
}
let world: World
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'people-'))
  world = await World.start({ engine: 'process', config })
})
afterAll(async () => {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function as(
  name: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: never }> {
  const response = await fetch(`${world.server.url}${path}`, {
    method,
    headers: { 'x-forwarded-user': name, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as never }
}

test('the person who queues, pauses or edits is named on the bead, on its execution, in its events, in the activity and by the command line', async () => {
  await world.addProject(
    'team',
    shellProject({ agent: `echo hi > hi.txt\n${commitAndPush('bl-1', 'Say hi')}`, test: 'test -f hi.txt\n' }),
    [{ id: 'bl-1', title: 'Say hi' }],
  )
  const bead = '/api/projects/team/beads/bl-1'
  const refused = await as('vera', 'POST', `${bead}/executions`, {})
  expect([refused.status, refused.json]).toMatchObject([403, { error: { code: 'role_needed' } }])
  expect((await as('ruth', 'PATCH', '/api/projects/team', { autopilot: true })).status).toBe(403)
  await as('ada', 'PATCH', bead, { priority: { was: 2, to: 1 } })
  const queued = await as('ruth', 'POST', `${bead}/executions`, {})
  expect(queued.status).toBe(202)
  const { id } = queued.json as { id: string }
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED', actions: [{ by: 'ruth', action: 'queued' }] })

  const view = (await as('vera', 'GET', bead)).json as BeadView
  expect(view.actions?.map(({ by, action, about, done }) => [by, action, about, done])).toEqual([
    ['ruth', 'queued', '', true],
    ['ada', 'bead_changed', 'priority', true],
  ])
  const activity = (await as('vera', 'GET', '/api/projects/team/activity?days=1')).json as ActivityView
  expect(activity.items).toMatchObject([{ bead: 'bl-1', by: 'ruth' }])
  const events = await world.get<Page<{ type: string; data: unknown }>>(
    `/api/executions/${id}/events?after=0&limit=500`,
  )
  expect(events.items.filter(({ type }) => type === 'action')).toMatchObject([
    { data: { by: 'ruth', action: 'queued' } },
  ])
  const shown = await beadloom(['beads', 'show', 'bl-1', '--project', 'team', '--json', '--data', world.data])
  expect(JSON.parse(shown.stdout)).toMatchObject({ executions: [{ actions: [{ by: 'ruth', action: 'queued' }] }] })
})

test('a backup in a new data folder starts a server that knows everything, names included', async () => {
  const file = join(folder, 'copy.db')
  expect(await beadloom(['backup', file, '--data', world.data])).toMatchObject({ code: 0 })
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  execFileSync('cp', ['-a', join(world.data, 'hub'), join(world.data, 'logs'), data])
  expect(await beadloom(['restore', file, '--data', data])).toMatchObject({ code: 0 })
  const restored = await World.start({ engine: 'process', config, data })
  try {
    const bead = await restored.get<BeadView>('/api/projects/team/beads/bl-1')
    expect(bead).toMatchObject({ status: 'done', executions: [{ state: 'COMPLETED' }] })
    expect(bead.actions?.map(({ by }) => by)).toEqual(['ruth', 'ada'])
    const { items } = await restored.get<Page<ActionView>>('/api/actions?project=team')
    expect(items.map(({ action }) => action)).toEqual(['queued', 'bead_changed', 'project_added'])
    const ready = async () => {
      const answer = await fetch(`${restored.server.url}/readyz`)
      return [answer.status, await answer.json()]
    }
    await expect.poll(ready, { timeout: 30_000 }).toEqual([200, { ok: true, reasons: [] }])
  } finally {
    await restored.stop()
  }
})
