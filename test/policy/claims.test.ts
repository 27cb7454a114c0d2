// @suite policy-long
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { makeRemote, issues } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Beads that are queued and cancelled at any moment of their start, in a real tracker file. */

const start = worldsOfATest()

const BEADS = 70

test('seventy beads that are cancelled before, while and after they are claimed are open again, unclaimed', async () => {
  const world = await start({ flags: { slots: '2' } })
  const ids = Array.from({ length: BEADS }, (_, at) => `c-${at + 1}`)
  const files = shellProject({ agent: 'echo ready; sleep 600\n' })
  const remote = makeRemote(join(world.folder, 'remotes', 'c.git'), {
    '.beads/issues.jsonl': issues(...ids.map((id) => ({ id, title: `Bead ${id}` }))),
    ...files,
  })
  const tree = join(world.folder, 'tree')
  execFileSync('git', ['clone', '--quiet', remote, tree])
  world.host?.prepare('c')
  expect((await world.api('POST', '/api/projects', { source: tree, id: 'c' })).status).toBe(201)
  const inFile = () =>
    readFileSync(join(tree, '.beads/issues.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { id: string; status: string; assignee?: string })

  /** The moments at which a cancel meets a start. */
  const moments: ((id: string, bead: string) => Promise<unknown>)[] = [
    async () => {},
    async () => {},
    (_, bead) => world.until(async () => inFile().some((one) => one.id === bead && one.status === 'in_progress')),
    (id) => world.until(async () => (await world.execution(id)).state === 'RUNNING'),
  ]
  const rounds = ids.map(async (bead, at) => {
    const { id } = await world.queue('c', bead)
    // A moment of its own may need a slot, so only eight beads have one; the rest are cancelled at once.
    await moments[at < 8 ? at % moments.length : 0]!(id, bead)
    await world.api('POST', `/api/executions/${id}/cancel`)
    return world.ended(id)
  })
  for (const ended of await Promise.all(rounds)) expect(ended).toMatchObject({ state: 'CANCELLED' })
  await world.until(async () => inFile().every(({ status, assignee }) => status === 'open' && !assignee))
  await world.api('POST', '/api/projects/c/sync')
  const { items } = await world.get<Page<BeadView>>('/api/projects/c/beads?limit=200')
  expect(items.filter(({ status }) => status !== 'open').map(({ id }) => id)).toEqual([])
  expect(items.filter(({ reason }) => reason?.code !== 'manual').map(({ id, reason }) => [id, reason])).toEqual([])
  expect(world.server.store.openClaims()).toEqual([])
})
