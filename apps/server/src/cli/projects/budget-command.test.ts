import type { TokenUseRow, TokenUseView } from '@beadloom/core/api/token-use-api.ts'
import { noUse } from '@beadloom/core/tokens/sum-use.ts'
import { expect, test } from 'vitest'
import { paintOf } from '../terminal/paint.ts'
import { useText } from './budget-command.ts'

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
const view = (...items: TokenUseRow[]): TokenUseView => ({
  from: '2026-11-17',
  items,
  more: false,
  currency: 'USD',
  pricesOf: '2026-10-24',
})
const text = (given: TokenUseView, by: Parameters<typeof useText>[1] = 'model') =>
  useText(given, by, Infinity, paintOf(false)).split('\n')

test('use is a table with a sum, where an unknown price is a dash and never zero', () => {
  const rows = [
    row({ calls: 3, input: 12_000, cached: 9_000, output: 800, costMicros: 26_250 }),
    row({ calls: 1, input: 50, output: 5, model: 'own\u001b[31m-model', unpriced: 55, estimated: 1 }),
  ]
  const lines = text(view(...rows))
  expect(lines.slice(0, 4).map((line) => line.split(/ {2,}/))).toEqual([
    ['MODEL', 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'REASONING', 'COST'],
    ['gpt-5', '3', '12,000', '9,000', '800', '0', '0.0262 USD'],
    [expect.stringMatching(/^own.*-model$/), '1', '50', '0', '5', '0', '–'],
    ['all', '4', '12,050', '9,000', '805', '0', '0.0262 USD +'],
  ])
  expect(lines.join('')).not.toContain('\u001b')
  expect(lines.at(-1)).toBe('Tokens are estimated for 1 call: the endpoint did not count them.')
})

test('what was counted before calls were is shown all the same, and nothing is nothing', () => {
  expect(text(view(row({ input: 5, agent: null })), 'agent')[1]).toMatch(/^the agent itself +– +5 /)
  expect(text(view())).toEqual(['No tokens were used since 2026-11-17.'])
})
