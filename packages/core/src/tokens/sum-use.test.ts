import { expect, test } from 'vitest'
import type { TokenUseRow } from '../api/token-use-api.ts'
import { addUse, noUse, sumUse } from './sum-use.ts'

const row = (given: Partial<TokenUseRow>): TokenUseRow => ({
  ...noUse,
  day: '2026-11-23',
  bead: 'a-1',
  kind: 'work',
  phase: null,
  model: 'gpt-5',
  agent: null,
  ...given,
})

test('use is added up by any of its keys, the most first', () => {
  const rows = [
    row({ input: 10, output: 1, calls: 1, costMicros: 5 }),
    row({ bead: 'a-2', input: 100, model: 'odd', unpriced: 100 }),
    row({ input: 20, kind: 'review', costMicros: 7, agent: 'docs-agent', phase: 2 }),
  ]
  expect(sumUse(rows, 'bead').map(({ name, use }) => [name, use.input, use.costMicros, use.unpriced])).toEqual([
    ['a-2', 100, null, 100],
    ['a-1', 30, 12, 0],
  ])
  expect(sumUse(rows, 'kind').map(({ name }) => name)).toEqual(['work', 'review'])
  expect(sumUse(rows, 'phase').map(({ name }) => name)).toEqual(['', '2'])
  expect(sumUse(rows, 'agent').map(({ name }) => name)).toEqual(['', 'docs-agent'])
})

test('days are in their order, the newest first', () => {
  const rows = [row({ day: '2026-11-21', input: 99 }), row({ day: '2026-11-23' }), row({ day: '2026-11-22' })]
  expect(sumUse(rows, 'day').map(({ name }) => name)).toEqual(['2026-11-23', '2026-11-22', '2026-11-21'])
})

test('what has no price is none, and never zero', () => {
  expect(addUse(noUse, row({ unpriced: 5 })).costMicros).toBeNull()
  expect(addUse(row({ costMicros: 0 }), row({ unpriced: 5 }))).toMatchObject({ costMicros: 0, unpriced: 5 })
})
