// @suite policy-long
import { expect, onTestFinished, test } from 'vitest'
import type { Page } from '@beadloom/core/api/api.ts'
import { World } from '../support/world.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'

/* A real server with a project that only some people may see. */
const config = {
  people: {
    address: 'https://beads.example.org',
    proxies: ['127.0.0.1'],
    header: {},
    roles: { viewer: { people: ['*'] }, admin: { people: ['ada'] } },
    projects: { payroll: { viewer: { groups: ['hr'] }, runner: { people: ['ruth'] } } },
  },
}

test('somebody who may not see a project finds no trace of it, by an address or in a list', async () => {
  const world = await World.start({ engine: 'process', config })
  onTestFinished(() => world.stop())
  const files = shellProject({
    agent: `echo hi > hi.txt\n${commitAndPush('bl-1', 'Say hi')}`,
    test: 'test -f hi.txt\n',
  })
  await world.addProject('payroll', files, [{ id: 'bl-1', title: 'Say hi' }])
  const as = (name: string, method: string, path: string, groups = '') =>
    fetch(`${world.server.url}${path}`, {
      method,
      headers: { 'x-forwarded-user': name, ...(groups && { 'x-forwarded-groups': groups }) },
    })
  const queue = '/api/projects/payroll/beads/bl-1/executions'
  expect([(await as('eve', 'POST', queue)).status, (await as('vera', 'POST', queue, 'hr')).status]).toEqual([404, 403])
  const queued = await as('ruth', 'POST', queue)
  expect(queued.status).toBe(202)
  const { id } = (await queued.json()) as { id: string }
  const { sessions } = await world.ended(id)
  const session = sessions[0]?.id ?? ''
  for (const path of [
    '/api/projects/payroll',
    '/api/projects/payroll/beads/bl-1',
    `/api/executions/${id}`,
    `/api/executions/${id}/diff`,
    `/api/sessions/${session}/log/raw`,
  ])
    expect([path, (await as('eve', 'GET', path)).status, (await as('vera', 'GET', path, 'hr')).status]).toEqual([
      path,
      404,
      200,
    ])
  for (const path of ['/api/projects', '/api/executions', '/api/actions']) {
    const items = async (name: string, groups?: string) =>
      ((await (await as(name, 'GET', path, groups)).json()) as Page<unknown>).items.length
    expect([path, await items('eve'), (await items('vera', 'hr')) > 0]).toEqual([path, 0, true])
  }
})
