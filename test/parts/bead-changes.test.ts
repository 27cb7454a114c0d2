import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { Problem } from '../../apps/server/src/ports/problem.ts'
import { eachTime } from '../../apps/server/src/ports/once.ts'
import { systemClock } from '../../apps/server/src/process/clock.ts'
import { changeBead, type BeadCommandDeps } from '../../apps/server/src/api/beads/bead-commands.ts'
import { allowTests, type ExecutionCommandDeps } from '../../apps/server/src/api/executions/execution-commands.ts'
import { bead, demo, openTestStore, running, seededRandom, world } from '../../apps/server/src/store/testing.ts'

/* A refused change has changed nothing, on a real database: "all of it or nothing" (docs/api.md). */

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-bead-changes-'))
  const store = openTestStore(join(folder, 'beadloom.db'), { clock: systemClock, random: seededRandom(3) })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  world(store, ['a'])
  const views = { beadInFull: () => ({}), execution: () => ({}) }
  const deps = { store, views, scheduler: { nudge: () => {} }, clock: systemClock, random: seededRandom(5) }
  return { store, deps: deps as unknown as BeadCommandDeps }
}

test.each([
  ['done', 'closed'],
  ['open', 'reopened'],
] as const)('a title is not changed together with a status "%s" that is refused', (status, done) => {
  const { store, deps } = place()
  if (status === 'done') store.moveBead(demo, bead('a'), { type: 'closed' })
  const was = store.bead(demo, bead('a'))!.title
  const answer = changeBead(deps, demo, bead('a'), { title: { was, to: 'another' }, status })
  expect(answer).toBeInstanceOf(Problem)
  expect(answer).toMatchObject({ status: 409, message: expect.stringContaining(`cannot be ${done}`) })
  expect(store.bead(demo, bead('a'))!.title).toBe(was)
})

test('a title is changed together with a possible status', () => {
  const { store, deps } = place()
  const was = store.bead(demo, bead('a'))!.title
  changeBead(deps, demo, bead('a'), { title: { was, to: 'another' }, status: 'done' })
  expect(store.bead(demo, bead('a'))).toMatchObject({ title: 'another', status: 'done' })
})

test('weaker tests are not allowed by a request that is refused because its bead is done', () => {
  const { store, deps } = place()
  const more = { projects: { claimsIn: () => null }, executions: {} }
  const all = { ...deps, ...more } as unknown as ExecutionCommandDeps
  const id = running(store, 'a')
  const session = sessionIdOf(id, 1)
  store.startSession({ id: session, execution: id, number: 1, kind: 'verify', attempt: 1 })
  store.addVerifications(id, [
    {
      attempt: 1,
      purpose: 'attempt',
      run: 1,
      step: 1,
      session,
      name: 'tests kept',
      type: 'custom',
      command: '',
      commit: 'c0ffee',
      passed: false,
      exitCode: null,
      durationMs: 1,
      tool: 'generic',
      failures: 1,
      collected: null,
      summary: '1 assertion less',
      digest: 'math.test.js lost 1 assertion',
      fingerprint: 'f',
      findings: ['math.test.js lost 1 assertion'],
      verdict: null,
      at: 1,
    },
  ])
  store.endExecution(id, { state: 'FAILED', reason: 'no_progress', detail: 'weaker' })
  store.moveBead(demo, bead('a'), { type: 'closed' })
  expect(allowTests(all, id, { why: 'they are old', by: 'me' }, eachTime)).toMatchObject({ status: 409, code: 'done' })
  expect(store.testsAllowed(demo, bead('a'))).toEqual([])
})
