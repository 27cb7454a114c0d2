import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { BD_VERSION, bdBeside, bdEnvironment, bdIn, hasBd, initBd, needsBd } from '../support/bd.ts'
import { makeRepository } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A person with bd in a terminal and Beadloom use the same database. */
const test = needsBd()
let world: World
let env: Record<string, string>
let home: string
beforeAll(async () => {
  if (!hasBd()) return
  home = mkdtempSync(join(tmpdir(), 'bd-home-'))
  env = bdEnvironment(home)
  world = await World.start({ env: { PATH: env['PATH'] } })
})
afterAll(async () => {
  if (!hasBd()) return
  await world.stop()
  rmSync(home, { recursive: true, force: true })
})

test('a bead filed with bd runs, is claimed and closed there with a comment, and changes made with bd meanwhile stay', async () => {
  const agent = `echo done >> done.txt\n${commitAndPush('x', 'One')}`
  const folder = makeRepository(join(world.folder, 'with-bd'), shellProject({ agent, config: { autopilot: false } }))
  initBd(bdIn(folder, env), 'wb')
  const bd = bdBeside(folder, env)
  const one = (text: string) => {
    const value: unknown = JSON.parse(text)
    return (Array.isArray(value) ? value[0] : value) as Record<string, unknown>
  }
  const first = one(await bd('create', 'First', '--json'))['id'] as string
  const { status, body } = await world.api<ProjectView>('POST', '/api/projects', { source: folder, id: 'with-bd' })
  expect(status).toBe(201)
  expect(body.tracker).toMatchObject({ kind: 'bd', writable: true, text: `bd ${BD_VERSION}, through its command line` })

  const cards = async () => (await world.get<Page<BeadCard>>('/api/projects/with-bd/beads?limit=100')).items
  const second = one(await bd('create', 'Second', '--json'))['id'] as string
  await world.until(async () => (await cards()).some(({ id }) => id === second))
  await bd('close', second)
  await world.until(async () => (await cards()).some((card) => card.id === second && card.status === 'done'))

  const queued = await world.queue('with-bd', first)
  await bd('update', first, '--notes', 'mine', '--add-label', 'ui')
  const ended = await world.ended(queued.id)
  expect(ended.state, ended.detail).toBe('COMPLETED')
  expect(one(await bd('show', first, '--json'))).toMatchObject({
    status: 'closed',
    assignee: 'beadloom',
    close_reason: `done in Beadloom (${ended.id})`,
    notes: 'mine',
    labels: ['ui'],
  })
  expect(JSON.parse(await bd('comments', first, '--json'))).toMatchObject([
    { author: 'beadloom', text: expect.stringContaining(`COMPLETED: execution ${ended.id}`) },
  ])

  const third = one(await bd('create', 'Third', '--json'))['id'] as string
  await bd('update', third, '--claim', '--actor', 'ana')
  await world.until(async () => (await cards()).some((card) => card.id === third && card.reason?.code === 'claimed'))
  expect((await cards()).find(({ id }) => id === third)?.reason?.text).toBe('claimed by ana in bd')
  const path = `/api/projects/with-bd/beads/${third}/executions`
  expect(await world.api('POST', path, {})).toMatchObject({
    status: 409,
    body: { error: { code: 'claimed', message: expect.stringContaining('claimed by ana in bd') } },
  })
  await bd('update', third, '--status', 'open', '--assignee', '', '--actor', 'ana')
  await world.until(async () => (await cards()).some((card) => card.id === third && card.reason?.code !== 'claimed'))
  expect((await world.run('with-bd', third)).state).toBe('COMPLETED')
  expect(one(await bd('show', third, '--json'))).toMatchObject({ status: 'closed', assignee: 'beadloom' })

  const made = await world.api<BeadCard>('POST', '/api/projects/with-bd/beads', { title: 'On the dashboard' })
  await world.until(async () => (await world.get<ProjectView>('/api/projects/with-bd')).tracker?.waiting === 0)
  expect(one(await bd('show', made.body.id, '--json'))).toMatchObject({
    title: 'On the dashboard',
    created_by: 'beadloom',
  })
})
