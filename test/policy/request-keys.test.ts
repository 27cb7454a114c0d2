// @suite policy-long
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { shellProject } from '../support/shell-project.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* A client that heard nothing and sends a request again has it done once: by the same server or by the next one. */

const start = worldsOfATest()

async function sent(world: World, path: string, key: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${world.server.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.server.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

test('every POST that creates something gives the same answer under its key after a restart, and creates nothing again', async () => {
  const first = await start()
  const { remote } = await first.addProject('k', shellProject({ agent: 'true\n' }), [{ id: 'k-1', title: 'One' }])
  await first.api('POST', '/api/projects/k/pause', {})
  const asked: [path: string, body: object][] = [
    ['/api/projects', { source: remote, id: 'other' }],
    ['/api/projects', { source: remote, id: 'k' }], // refused, and that remains the answer
    ['/api/projects/k/beads', { title: 'Two' }],
    ['/api/projects/k/beads/k-1/executions', { context: 'Please' }],
    ['/api/projects/k/reviews', {}], // nothing to review
    ['/api/projects/k/pull-requests', {}], // paused
    ['/api/projects/k/pause', {}],
  ]
  const answers = []
  for (const [at, [path, body]] of asked.entries()) answers.push(await sent(first, path, `key-${at}`, body))
  const { id } = JSON.parse(answers[3]!.text) as ExecutionView
  asked.push([`/api/executions/${id}/cancel`, {}])
  answers.push(await sent(first, `/api/executions/${id}/cancel`, `key-${asked.length - 1}`, {}))
  expect(answers.map(({ status }) => status)).toEqual([201, 409, 201, 202, 422, 409, 200, 202])
  await first.ended(id)
  await first.server.stop()

  const again = await start({ data: first.data, host: first.host })
  for (const [at, [path, body]] of asked.entries())
    expect(await sent(again, path, `key-${at}`, body)).toEqual(answers[at])
  expect(await sent(again, '/api/projects/k/beads', 'key-2', { title: 'Three' })).toMatchObject({ status: 422 })
  const { items: beads } = await again.get<Page<BeadView>>('/api/projects/k/beads?limit=100')
  expect(beads.map(({ title }) => title).toSorted()).toEqual(['One', 'Two'])
  const { items: executions } = await again.get<Page<ExecutionView>>('/api/executions?project=k&limit=100')
  expect(executions.map((one) => one.id)).toEqual([id])
})
