import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { bead, demo, openTestStore, running, seededRandom, world } from '../testing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function stored() {
  const folder = mkdtempSync(join(tmpdir(), 'beadloom-jumps-'))
  const clock = new HandClock()
  const open = () => openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  let store = open()
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const again = () => {
    store.close()
    return (store = open())
  }
  world(store, ['a-1'])
  return { clock, store, again }
}

test.each([
  ['an hour ahead', HOUR],
  ['an hour back', -HOUR],
  ['to 1970', -Date.UTC(2026, 0, 15, 12)],
])('the duration of an execution and its sessions does not change when the wall clock jumps %s', (_, by) => {
  const { clock, store } = stored()
  const execution = running(store, 'a-1')
  const id = sessionIdOf(execution, 1)
  store.startSession({ id, execution, number: 1, kind: 'work', attempt: 1 })
  clock.advance(60_000)
  clock.jump(by)
  clock.advance(17_000)
  const session = store.endSession(id, 'success', 0, '')
  clock.advance(3_000)
  store.endExecution(execution, { state: 'TIMEOUT', reason: 'silence', detail: 'no output' })
  expect(lasted(session)).toBe(77_000)
  expect(lasted(store.execution(execution)!)).toBe(80_000)
})

test('an execution that an earlier server began took at least the noted time', () => {
  const { clock, store, again } = stored()
  const execution = running(store, 'a-1')
  clock.advance(60_000)
  store.noteElapsed(execution, 60_000)
  clock.jump(-HOUR)
  const next = again()
  clock.advance(5_000)
  next.endExecution(execution, { state: 'TIMEOUT', reason: 'silence', detail: 'no output' })
  expect(lasted(next.execution(execution)!)).toBe(65_000)
})

test('a wall clock that jumps back gives no limit of a day twice', () => {
  const { clock, store } = stored()
  const execution = running(store, 'a-1')
  const session = sessionIdOf(execution, 1)
  store.startSession({ id: session, execution, number: 1, kind: 'work', attempt: 1 })
  store.addTokens(execution, session, { input: 100, output: 20 })
  clock.jump(-DAY)
  store.addTokens(execution, session, { input: 7, output: 3 })
  expect(store.tokensOfDay(demo, clock.now())).toMatchObject({ input: 107, output: 23 })
  clock.jump(2 * DAY)
  expect(store.tokensOfDay(demo, clock.now())).toMatchObject({ input: 0, output: 0 })
})

test('a change for the tracker does not wait until a time of a wrong wall clock', () => {
  const { clock, store } = stored()
  running(store, 'a-1')
  const [change] = store.trackerQueue(demo, clock.now(), -1, 10)
  store.trackerLater(change!, clock.now() + 60_000, 'it does not answer')
  expect(store.trackerQueue(demo, clock.now(), -1, 10)).toEqual([])
  clock.jump(-HOUR)
  expect(store.trackerQueue(demo, clock.now(), -1, 10)).toHaveLength(1)
})

test('the newest execution of a bead is the one that was queued last, though the wall clock was set back before', () => {
  const { clock, store } = stored()
  const first = running(store, 'a-1')
  store.endExecution(first, { state: 'TIMEOUT', reason: 'silence', detail: 'no output' })
  store.moveBead(demo, bead('a-1'), { type: 'timed-out' })
  clock.jump(-HOUR)
  const second = running(store, 'a-1')
  store.endExecution(second, { state: 'COMPLETED', commit: 'c', detail: '' })
  expect(store.executions({ project: demo, bead: bead('a-1'), limit: 2 }).map(({ id }) => id)).toEqual([second, first])
  store.moveBead(demo, bead('a-1'), { type: 'completed' })
  const closing = store.trackerQueue(demo, clock.now(), -1, 10).find(({ kind }) => kind === 'status')
  expect(closing).toMatchObject({ newest: second })
})
