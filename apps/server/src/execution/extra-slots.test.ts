import { expect, test } from 'vitest'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { parseProjectId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { oneEngine } from './testing.ts'

const [demo, other] = [parseProjectId('demo'), parseProjectId('other')]
const live = (...states: string[]) => liveOf(...states.map((state) => [state, demo] as const))
const liveOf = (...ones: (readonly [string, ProjectId])[]) => ({
  liveExecutions: () => ones.map(([state, project]) => ({ state, project, waits: null }) as Execution),
})

test('further slots are given only while there are free ones, and are free again once they are returned', () => {
  let freed = 0
  const all = oneEngine(4, live('RUNNING', 'RUNNING', 'QUEUED'), { freed: () => (freed += 1) })
  const slots = all.of(demo)
  expect(slots.take(1)).toBe(1)
  expect(all.of(other).take(5)).toBe(1)
  expect(slots.take(1)).toBe(0)
  expect(all.used).toBe(2)
  slots.giveBack(1)
  all.of(other).giveBack(1)
  slots.giveBack(0)
  expect([all.used, all.uses(), freed]).toEqual([0, [], 2])
})

test('no further slot is given if there are more executions than slots', () => {
  expect(oneEngine(1, live('RUNNING', 'RUNNING')).of(demo).take(3)).toBe(0)
})

test("a project's limit counts its executions and its further slots, and no other project's", () => {
  const place = (project: ProjectId) => ({ engine: 'local', limit: project === demo ? 3 : null })
  const all = oneEngine(9, liveOf(['RUNNING', demo], ['RUNNING', other]), { place })
  expect(all.of(demo).take(5)).toBe(2)
  expect(all.of(other).take(5)).toBe(5)
  // A session that comes back from its wait for a person waits for its project's limit, too.
  all.of(demo).reserve()
  expect(all.of(demo).takeReserved()).toBe(false)
  all.of(demo).giveBack(1)
  expect(all.of(demo).takeReserved()).toBe(true)
})

test('each engine has its own slots, and an execution counts where it was started', () => {
  const place = (project: ProjectId) => ({ engine: project === demo ? 'local' : 'cluster', limit: null })
  const all = oneEngine(2, liveOf(['RUNNING', demo], ['RUNNING', other]), { place, engineOf: () => 'cluster' })
  expect(all.of(other).take(5)).toBe(0)
  expect(all.of(demo).take(5)).toBe(2)
})

test('slots that a project has beyond its share while others wait are too many', () => {
  const all = oneEngine(4, live('RUNNING'))
  const slots = all.of(demo)
  slots.take(3)
  expect(slots.tooMany).toBe(0)
  all.roundOver(new Map([[demo, 2]]))
  expect(slots.tooMany).toBe(2)
  all.roundOver()
  expect(slots.tooMany).toBe(0)
})

test('a slot in which a base is checked is known as that until it is returned, even if nothing is free', () => {
  let freed = 0
  const all = oneEngine(1, live('RUNNING'), { freed: () => (freed += 1) })
  const giveBack = all.of(demo).prove()
  expect(all.uses()).toMatchObject([{ project: demo, used: 1, proofs: 1 }])
  giveBack()
  expect([all.uses(), freed]).toEqual([[], 1])
})
