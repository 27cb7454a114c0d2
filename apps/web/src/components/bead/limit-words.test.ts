import { expect, test } from 'vitest'
import { limitFigures, percentUsed } from './limit-words.ts'

test('a limit shows the use, the limit in tokens or money, and the share', () => {
  const tokens = { unit: 'tokens', used: 82_400, limit: 100_000 } as const
  expect([limitFigures(tokens), percentUsed(tokens)]).toEqual(['82.4k/100k tok', 82])
  const money = { unit: 'money', used: 5_120_000, limit: 5_000_000 } as const
  expect([limitFigures(money), percentUsed(money)]).toEqual(['5.12/5.00', 102])
  const little = { unit: 'money', used: 400, limit: 50_000 } as const
  expect([limitFigures(little), percentUsed(little)]).toEqual(['0.0004/0.0500', 0])
})
