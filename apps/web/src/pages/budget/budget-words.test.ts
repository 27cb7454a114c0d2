import { noUse } from '@beadloom/core/tokens/sum-use.ts'
import { expect, test } from 'vitest'
import {
  columnMoney,
  costNote,
  costText,
  dayName,
  groupName,
  moneySpread,
  partText,
  shareText,
  spreadText,
  toldCount,
  tokenSpread,
} from './budget-words.ts'

const use = (input: number, costMicros: number | null, unpriced = 0) => ({ ...noUse, input, costMicros, unpriced })

test('an unknown value is a dash and never zero', () => {
  expect(costText(use(10, null, 10), 'USD')).toBe('–')
  expect([toldCount(null), toldCount(0)]).toEqual(['–', '0'])
  expect([tokenSpread(null), moneySpread(null, 'USD')]).toEqual(['–', '–'])
  expect(columnMoney(use(10, 5e6), 'USD')(use(10, null))).toBe('–')
  expect(shareText(use(0, null), use(0, null))).toBe('–')
})

test('money without a price for a part says so, and why', () => {
  expect(costText(use(10, 3_840_000, 1200), 'USD')).toBe('$3.84 +')
  expect(costText(use(10, 3_840_000, 1200), 'USD', '/h')).toBe('$3.84/h +')
  expect(costNote(use(10, 5, 1200))).toBe('1,200 tokens without a price')
  expect(costNote(use(10, 5))).toBeNull()
  expect(costNote(use(0, null))).toBe('Nothing was used')
})

test('large money is short, and every line of a column has as many digits', () => {
  expect(costText(use(1, 26_601_693_570_000), 'USD')).toBe('$26.6M')
  expect(costText(use(1, 99_999e6), 'USD')).toBe('$99,999.00')
  const [large, small] = [columnMoney(use(1, 5e6), 'USD'), columnMoney(use(1, 50_000), 'EUR')]
  expect([large(use(1, 26_250)), large(use(1, 4e6))]).toEqual(['$0.03', '$4.00'])
  expect([small(use(1, 26_250)), small(use(1, 50_000))]).toEqual(['€0.0263', '€0.0500'])
})

test('a spread is one figure if both ends are the same', () => {
  expect(spreadText({ median: 1, p90: 2 }, String)).toBe('1 – 2')
  expect(tokenSpread({ median: 62_100, p90: 62_111 })).toBe('62.1k')
  expect(partText({ median: 1, p90: 1, known: 2 }, 3)).toBe(', known of 2')
  expect(partText({ median: 1, p90: 1, known: 3 }, 3)).toBe('')
})

test('a share above zero is not shown as zero', () => {
  expect(shareText(use(1, null), use(1000, null))).toBe('<1%')
  expect(shareText(use(0, null), use(1000, null))).toBe('0%')
  expect(shareText(use(170, null), use(1000, null))).toBe('17%')
})

test('groups have familiar names, and a day is the day in UTC', () => {
  expect(groupName('agent', 'codex')).toBe('Codex')
  expect(groupName('agent', 'openai/docs-agent')).toBe('Built-in agent › docs-agent')
  expect(groupName('agent', '/docs/agent')).toBe('Not known › docs/agent')
  expect(groupName('agent', '')).toBe('Not known')
  expect([groupName('phase', '2'), groupName('phase', '')]).toEqual(['Phase 2', 'Without a phase'])
  expect([groupName('kind', 'retry'), groupName('kind', 'constructor')]).toEqual(['Retry', 'constructor'])
  expect(groupName('model', '<b>')).toBe('<b>')
  expect([dayName('2026-11-23'), dayName('someday')]).toEqual(['Nov 23', 'someday'])
})
