import { expect, test } from 'vitest'
import { nobody } from '@beadloom/core/budget/scopes.ts'
import { parseBeadId, parseExecutionId, parseProjectId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { Budget } from './budget.ts'

const execution = parseExecutionId('ex-0000000001')
const of = {
  ...nobody,
  session: sessionIdOf(execution, 1),
  execution,
  bead: parseBeadId('a-1'),
  project: parseProjectId('demo'),
}
const settings = { limits: { maxTokens: 100, maxTokensPerDay: 100 } }

/** A database that stores use when the test says so. */
function open() {
  let stored = 0
  const store = {
    spent: () => ({ tokens: stored, micros: 0, unpriced: 0 }),
    granted: () => ({ tokens: 0, money: 0 }),
  }
  const budget = new Budget({ store, clock: new HandClock(), currency: 'USD' })
  const used = (who = of) => budget.states(who, settings).map((state) => state.used)
  return { budget, used, store: (tokens: number) => void (stored += tokens) }
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}

test('use that the database cannot take yet counts for everybody concerned, and counts once when it is stored', async () => {
  const { budget, used, store } = open()
  const written = Promise.withResolvers<void>()
  budget.count(of, { tokens: 40, micros: 0, unpriced: 0 }, written.promise)
  await settled()
  expect(used()).toEqual([40, 40])
  expect(budget.reached(of, settings)).toBeNull()
  budget.count(of, { tokens: 60, micros: 0, unpriced: 0 }, new Promise(() => {}))
  expect(budget.reached(of, settings)).toMatchObject({ scope: 'execution', used: 100 })
  const other = { ...of, execution: parseExecutionId('ex-0000000002'), bead: parseBeadId('a-2') }
  expect(used({ ...other, session: sessionIdOf(other.execution, 1) })).toEqual([0, 100])
  store(40)
  written.resolve()
  await settled()
  expect(used()).toEqual([100, 100])
})

test('use that is stored at once counts once, and so does use that could not be stored at all', async () => {
  const { budget, used, store } = open()
  store(40)
  budget.count(of, { tokens: 40, micros: 0, unpriced: 0 }, undefined)
  budget.count(of, { tokens: 5, micros: 0, unpriced: 0 }, Promise.reject(new Error('the project is gone')))
  await settled()
  expect(used()).toEqual([40, 40])
})
