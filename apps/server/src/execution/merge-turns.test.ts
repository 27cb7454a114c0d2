import { expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { MergeTurns } from './merge-turns.ts'

const never = new AbortController().signal
const BRANCH = 'p beadloom/work'

function kit() {
  const clock = new HandClock()
  const turns = new MergeTurns(clock)
  const order: string[] = []
  const note = (name: string) => (end?: () => void) => {
    order.push(name)
    return end
  }
  return { clock, turns, order, note }
}

test('turns come in the order of asking, and an execution without one waits for all of them', async () => {
  const { turns, order, note } = kit()
  const first = await turns.take(BRANCH, never)
  const second = turns.take(BRANCH, never).then(note('second'))
  const other = turns.others(BRANCH, never).then(() => note('others')())
  await turns.others('p another', never)
  first()
  const end = await second
  expect(order).toEqual(['second'])
  end?.()
  await other
  expect(order).toEqual(['second', 'others'])
})

test('a wait ends when the execution is stopped, and its turn is passed on', async () => {
  const { turns } = kit()
  const first = await turns.take(BRANCH, never)
  const stop = new AbortController()
  const second = turns.take(BRANCH, stop.signal)
  stop.abort()
  ;(await second)()
  first()
  await turns.others(BRANCH, never)
})

test('a turn without an end holds nobody back for ever', async () => {
  const { clock, turns } = kit()
  await turns.take(BRANCH, never)
  const waiting = turns.others(BRANCH, never)
  clock.advance(30 * 60_000)
  await waiting
})
