import { expect, test } from 'vitest'
import { budgetsOf, hasMoneyBudget, noServerBudget } from './budget-settings.ts'
import { comeNear, firstReached, isNear, budgetStates, limitText, type Spent } from './budget-states.ts'

const nothing = { tokens: 0, money: 0 }
const spent = (tokens: number, micros = 0, unpriced = 0): Spent => ({ tokens, micros, unpriced })
const states = (given: Parameters<typeof budgetsOf>[0], used: Spent, granted = nothing) =>
  budgetStates(
    budgetsOf(given, noServerBudget),
    () => used,
    () => granted,
  )

test('without a limit nothing is counted at all', () => {
  const never = () => {
    throw new Error('nobody needs to know')
  }
  expect(budgetStates(budgetsOf({}, noServerBudget), never, never)).toEqual([])
})

test('a limit is reached when it is fully used, and the narrowest one is named', () => {
  expect(firstReached(states({ maxTokens: 51 }, spent(50)))).toBeNull()
  expect(firstReached(states({ maxTokens: 50 }, spent(50)))).toMatchObject({ scope: 'execution', unit: 'tokens' })
  const several = { maxTokensPerWeek: 10, maxTokensPerDay: 10, maxTokensPerBead: 10 }
  expect(firstReached(states(several, spent(10)))).toMatchObject({ scope: 'bead' })
})

test('a limit of the server covers every project', () => {
  const limits = budgetsOf({}, { maxTokensPerDay: 100, maxCostPerDay: 2.5 })
  expect(limits.server).toEqual({ tokens: 100, money: 2_500_000 })
  expect(hasMoneyBudget(limits)).toBe(true)
})

test('a grant adds to the limit', () => {
  const [state] = states({ maxTokens: 100 }, spent(120), { tokens: 50, money: 0 })
  expect(state).toMatchObject({ limit: 150, granted: 50, used: 120 })
  expect(firstReached([state!])).toBeNull()
})

test('money is counted in money, and use without a price is mentioned and never free', () => {
  const [state] = states({ maxCost: 1 }, spent(90_000, 250_000, 30_000))
  expect(state).toMatchObject({ unit: 'money', limit: 1_000_000, used: 250_000, unpriced: 30_000 })
  expect(states({ maxTokens: 5 }, spent(1, 0, 1))[0]).toMatchObject({ unpriced: 0 })
})

test('the call that brings a limit near is reported, once, even if it passes the whole limit', () => {
  const before = (used: number) => states({ maxTokens: 100 }, spent(used))
  expect(comeNear(before(0), spent(74), 75)).toEqual([])
  expect(comeNear(before(74), spent(1), 75)).toMatchObject([{ used: 75 }])
  expect(comeNear(before(75), spent(1), 75)).toEqual([])
  expect(comeNear(before(10), spent(500), 75)).toMatchObject([{ used: 510 }])
  expect(isNear(before(74)[0]!, 74)).toBe(true)
})

test("a limit's use is described in a few words", () => {
  const say = (given: Parameters<typeof budgetsOf>[0], used: Spent) => limitText(states(given, used)[0]!, 'USD')
  expect(say({ maxTokensPerBead: 100_000 }, spent(100_000))).toBe('100k of 100k tokens used by this bead')
  expect(say({ maxTokensPerDay: 2_000_000 }, spent(1_534_000))).toBe('1.5M of 2M tokens used by the project today')
  expect(say({ maxTokens: 900 }, spent(7))).toBe('7 of 900 tokens used by this execution')
  expect(say({ maxCostPerSession: 5 }, spent(1, 4_120_000))).toBe('4.12 of 5.00 USD spent by this session')
})
