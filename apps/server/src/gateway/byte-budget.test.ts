import { expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

const never = new AbortController().signal

/** Asks for bytes, and tells whether they have been granted so far. */
function asking(budget: ByteBudget, of: string, bytes: number, signal = never) {
  const state = { taken: null as boolean | null }
  void budget.take(of, bytes, signal).then((taken) => (state.taken = taken))
  return state
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a container at its limit waits for itself and blocks nobody else', async () => {
  const budget = new ByteBudget({ each: 10, all: 30 })
  const [first, second, other] = [asking(budget, 'a', 8), asking(budget, 'a', 8), asking(budget, 'b', 8)]
  await settle()
  expect([first, second, other].map(({ taken }) => taken)).toEqual([true, null, true])
  budget.give('a', 8)
  await settle()
  expect(second.taken).toBe(true)
})

test('all together have a limit, and waiting calls are served in order, large ones before small ones behind them', async () => {
  const budget = new ByteBudget({ each: 10, all: 12 })
  const asked = [asking(budget, 'a', 10), asking(budget, 'b', 9), asking(budget, 'c', 1)]
  await settle()
  expect(asked.map(({ taken }) => taken)).toEqual([true, null, null])
  budget.give('a', 10)
  await settle()
  expect(asked.map(({ taken }) => taken)).toEqual([true, true, true])
  expect(budget.held).toBe(10)
})

test('a caller that leaves while it waits makes room for those behind, and holds nothing', async () => {
  const budget = new ByteBudget({ each: 10, all: 12 })
  const leaves = new AbortController()
  asking(budget, 'a', 10)
  const large = asking(budget, 'b', 9, leaves.signal)
  const small = asking(budget, 'c', 2)
  leaves.abort()
  await settle()
  expect([large.taken, small.taken, budget.held]).toEqual([false, true, 12])
  expect(await budget.take('d', 1, leaves.signal)).toBe(false)
})
