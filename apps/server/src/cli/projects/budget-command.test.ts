import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { useKeys, type TokenUseRow, type UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'
import { useRow as row } from '@beadloom/core/testing/sample-use.ts'
import { noUse, UseTables } from '@beadloom/core/tokens/sum-use.ts'
import { queueForecast, usualUse, type BeadUse } from '@beadloom/core/tokens/usual-use.ts'
import { expect, test } from 'vitest'
import { paintOf } from '../terminal/paint.ts'
import { budgetText } from './budget-text.ts'

function view(rows: TokenUseRow[], done: BeadUse[] = [], waiting = 0): BudgetView {
  const tables = new UseTables()
  for (const one of rows) tables.add(one)
  return {
    at: 0,
    days: 7,
    from: '2026-11-17',
    all: tables.all,
    retries: tables.retries,
    by: Object.fromEntries(useKeys.map((key) => [key, tables.table(key, 2)])) as BudgetView['by'],
    today: tables.all,
    week: tables.all,
    lastDays: [],
    hour: noUse,
    queue: queueForecast(waiting === 0 ? [] : [{ kind: 'work', type: 'task', count: waiting }], done, []),
    merged: { beads: done.length, usual: usualUse(done) },
    currency: 'USD',
    pricesOf: '2026-10-24',
  }
}
const text = (given: BudgetView, by: UseKey = 'model', columns = Infinity) =>
  budgetText(given, by, columns, paintOf(false)).split('\n')

const rows = [
  row({ calls: 3, input: 12_000, cached: 9_000, reasoning: 0, output: 800, costMicros: 26_250 }),
  row({ calls: 1, kind: 'retry', input: 50, output: 5, model: 'own\u001b[31m-model', unpriced: 55, estimated: 1 }),
]

test('the table ends with a sum, and shows a dash, not zero, for unknown values', () => {
  const lines = text(view(rows)).slice(7)
  expect(lines.slice(0, 4).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['MODEL', 'COST', 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'REASONING', 'RETRIES'],
    ['gpt-5', '0.0262 USD', '3', '12,000', '9,000', '800', '0', '0'],
    [expect.stringMatching(/^own.*-model$/), '–', '1', '50', '–', '5', '–', '55'],
    ['all', '0.0262 USD +', '4', '12,050', '9,000', '805', '0', '55'],
  ])
  expect(lines.join('')).not.toContain('\u001b')
  expect(lines.at(-1)).toBe('Tokens are estimated for 1 call: the endpoint did not count them.')
})

test('numbers are right-aligned, however long they are, and a narrow terminal cuts the lines', () => {
  const huge = [row({ calls: 1, input: 9_007_199_254_740_991 }), row({ calls: 1, model: 'b', input: 1 })]
  const lines = text(view(huge)).slice(7)
  const end = (line: string | undefined, what: RegExp) =>
    (line?.search(what) ?? 0) + (what.exec(line ?? '')?.[0].length ?? 0)
  expect(end(lines[1], /9,007[\d,]+/)).toBe(end(lines[2], /^b +– +1 +1/))
  expect(text(view(huge), 'model', 40).every((line) => line.length <= 40 || line.startsWith('Since'))).toBe(true)
})

test('a name that is a page long pushes no figure away', () => {
  const name = `a${' very'.repeat(500)}\nlong name`
  const lines = text(view([row({ calls: 1, input: 7, model: name })])).slice(7)
  expect(lines[1]).toMatch(/^a very very [^\n]*… {2}/)
  expect(lines[1]?.length).toBeLessThan(130)
})

test('columns that do not fit a narrow terminal continue below', () => {
  const lines = text(view(rows), 'model', 40)
  expect(lines.slice(0, 3)).toEqual([
    'Today            12,855 tokens, 0.0262',
    '                 USD +',
    'Last 7 days      12,855 tokens, 0.0262',
  ])
})

test("groups beyond the table's limit share one line", () => {
  const many = ['a', 'b', 'c', 'd'].map((model, n) => row({ calls: 1, model, input: 10 - n }))
  expect(
    text(view(many))
      .slice(8, 12)
      .map((line) =>
        line
          .split(/ {2,}/)
          .filter((cell) => cell !== '–')
          .slice(0, 3),
      ),
  ).toEqual([
    ['a', '1', '10'],
    ['b', '1', '9'],
    ['2 more', '2', '15'],
    ['all', '4', '34'],
  ])
})

test('the queue and a merged bead cost what beads have cost, or are unknown', () => {
  const done: BeadUse[] = [100, 300].map((input, n) => ({
    bead: `a-${n}`,
    type: 'task',
    at: 0,
    use: { ...noUse, input, ...(n === 0 ? { costMicros: 500_000 } : { unpriced: 300 }) },
  }))
  const facts = (given: BudgetView) =>
    Object.fromEntries(
      text(given)
        .slice(0, 6)
        .map((line) => line.split(/ {2,}/) as [string, string]),
    )
  expect(facts(view(rows, done, 3))).toMatchObject({
    Today: '12,855 tokens, 0.0262 USD +',
    'Last hour': '0 tokens, –',
    'Retries, 7 days': '55 tokens, – (0 % of the tokens)',
    'A merged bead': '200 – 300 tokens, 0.50 – 0.50 USD (money for 1) (median and 90th percentile of 2 beads)',
    'The queue': '3 beads: 600 – 900 tokens, 1.50 – 1.50 USD (from 2 completed beads of type task)',
  })
  expect(facts(view(rows, [], 1))).toMatchObject({
    'A merged bead': '– (none was merged)',
    'The queue': '1 bead: – (from 0 completed beads of type task)',
  })
  expect(facts(view(rows))).toMatchObject({ 'The queue': 'nothing waits for a slot' })
})

test('use without a count of calls is shown, and no use at all gets a sentence', () => {
  expect(text(view([row({ input: 5, preset: null })]), 'agent')[8]).toMatch(/^not known +– +– +5 /)
  expect(text(view([])).at(-1)).toBe('No tokens were used since 2026-11-17.')
})
