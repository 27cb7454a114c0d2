import { expect, test } from 'vitest'
import type { BudgetState } from './budget-states.ts'
import { raisesOf } from './grants.ts'

const state = (
  scope: BudgetState['scope'],
  used: number,
  limit = 100,
  unit: BudgetState['unit'] = 'tokens',
): BudgetState => ({
  scope,
  unit,
  limit,
  used,
  granted: 0,
  unpriced: 0,
})
const raises = (states: BudgetState[], grant: Parameters<typeof raisesOf>[1]) => {
  const found = raisesOf(states, grant, 75)
  return 'refused' in found ? found.refused : found.map(({ scope, unit, amount }) => `${scope} ${unit} ${amount}`)
}

test('a grant raises every reached limit, and no other', () => {
  expect(raises([state('session', 100), state('execution', 100), state('bead', 99)], { tokens: 50 })).toEqual([
    'session tokens 50',
    'execution tokens 50',
  ])
  expect(raises([state('bead', 10), state('day', 100)], { tokens: 50 })).toEqual(['day tokens 50'])
})

test('the whole grant can be spent, even if calls in flight have passed the limit', () => {
  expect(raises([state('execution', 130)], { tokens: 50 })).toEqual(['execution tokens 80'])
})

test('a grant may come before a limit is reached, and then raises the execution’s own limits that are near', () => {
  expect(raises([state('execution', 80), state('bead', 20), state('day', 90)], { tokens: 5 })).toEqual([
    'execution tokens 5',
  ])
  expect(raises([state('execution', 10)], { tokens: 5 })).toMatch(/nothing to raise yet/)
  expect(raises([], { tokens: 5 })).toMatch(/nothing to raise yet/)
})

test('a limit of money is raised by money, and one of tokens by tokens', () => {
  const both = [state('execution', 100), state('execution', 9, 8, 'money')]
  expect(raises(both, { tokens: 50 })).toMatch(/waits at a limit of money: grant money/)
  expect(raises(both, { money: 50 })).toMatch(/waits at a limit of tokens: grant tokens/)
  expect(raises(both, { tokens: 50, money: 3 })).toEqual(['execution tokens 50', 'execution money 4'])
  expect(raises([state('execution', 90)], { money: 3 })).toMatch(/only limits of tokens are near/)
})
