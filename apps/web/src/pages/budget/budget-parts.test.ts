import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { useKeys } from '@beadloom/core/api/budgets/token-use-api.ts'
import { noUse } from '@beadloom/core/tokens/sum-use.ts'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BudgetFigures } from './budget-figures.tsx'
import { DayBars } from './day-bars.tsx'
import { QueueTable } from './queue-table.tsx'

const view = (given: Partial<BudgetView>): BudgetView => ({
  at: 0,
  days: 7,
  from: '2026-11-17',
  all: noUse,
  retries: noUse,
  by: Object.fromEntries(useKeys.map((key) => [key, { items: [], rest: null }])) as unknown as BudgetView['by'],
  today: noUse,
  week: noUse,
  lastDays: [],
  hour: noUse,
  queue: {
    beads: 0,
    reviews: { count: 0, usual: { tokens: null, costMicros: null } },
    types: [],
    tokens: null,
    costMicros: null,
  },
  merged: { beads: 0, usual: { tokens: null, costMicros: null } },
  currency: 'USD',
  pricesOf: '2026-10-24',
  ...given,
})
/** The text of each figure, line by line. */
const figures = (given: Partial<BudgetView>, perDay: number | null = null) =>
  renderToStaticMarkup(createElement(BudgetFigures, { view: view(given), perDay }))
    .split('<dt>')
    .slice(1)
    .map((one) => one.split(/<[^>]*>/).filter(Boolean))
const noPrice = 'No prices are known for these models. Prices can be set in config.json.'
const spread = (median: number, p90: number, of: number) => ({ median, p90, of })

test('money comes first if there is any, and tokens if nothing has a price', () => {
  const used = { ...noUse, calls: 2, input: 1_400_000, output: 10_000, costMicros: 3_840_000 }
  expect(figures({ today: used, week: used, all: used }, 2_000_000)[0]).toEqual([
    'Today',
    '$3.84',
    '1.4M of 2M tokens',
    '2 calls',
  ])
  const free = { ...used, costMicros: null, unpriced: 1_410_000 }
  const unpriced = figures({ today: free, week: free, all: free })
  expect(unpriced[0]).toEqual(['Today', '1.4M tokens', '2 calls'])
  // Said once, not in every figure.
  expect(unpriced.flat().filter((text) => text.includes('price'))).toEqual([noPrice])
})

test('a forecast says how many beads it comes from, and for how many of the waiting ones', () => {
  const usual = { tokens: spread(60_000, 120_000, 31), costMicros: spread(310_000, 800_000, 28) }
  const queue = {
    beads: 3,
    reviews: { count: 1, usual: { tokens: spread(9000, 9000, 5), costMicros: null } },
    types: [
      { type: 'task', beads: 2, usual },
      { type: 'epic', beads: 1, usual: { tokens: null, costMicros: null } },
    ],
    tokens: { median: 120_000, p90: 240_000, known: 3 },
    costMicros: { median: 620_000, p90: 1_600_000, known: 2 },
  }
  const all = { ...noUse, input: 10, costMicros: 5 }
  const [, , , retries, merged, waits] = figures({ all, queue, merged: { beads: 40, usual } })
  expect(retries).toEqual(['Retries in 7 days', '–', '0 tokens', '0% of all tokens · Nothing was used'])
  expect(merged?.slice(1)).toEqual([
    '$0.31 – $0.80',
    '60k – 120k tokens',
    'Median – 90th percentile of 31 beads (money: 28) merged in 7 days',
  ])
  expect(waits?.slice(1)).toEqual([
    '$0.62 – $1.60',
    '120k – 240k tokens',
    '3 beads and 1 review waiting, known of 3; median – 90th percentile of 31 completed and 5 reviews',
  ])
  const table = renderToStaticMarkup(createElement(QueueTable, { queue, currency: 'USD' }))
  expect(table.replaceAll(/<(t[hd]) [^>]*>/g, '<$1>')).toContain(
    '<th>epic</th><td>1</td><td>0</td><td>–</td><td>–</td>',
  )
})

test('without data there is no forecast', () => {
  const queue = {
    beads: 1,
    reviews: { count: 0, usual: { tokens: null, costMicros: null } },
    types: [{ type: 'task', beads: 1, usual: { tokens: null, costMicros: null } }],
    tokens: null,
    costMicros: null,
  }
  const [, , , , merged, waits] = figures({ queue })
  expect(merged?.slice(1)).toEqual(['Not known yet', 'No bead was merged in 7 days'])
  expect(waits?.slice(1)).toEqual(['Not known yet', '1 bead waiting; no similar bead has been completed', noPrice])
})

test('the bars are a readable list, and a day without use is one of them', () => {
  const days = [
    { day: '2026-11-22', use: noUse },
    { day: '2026-11-23', use: { ...noUse, input: 500, costMicros: 20_000 } },
  ]
  const html = renderToStaticMarkup(createElement(DayBars, { days, currency: 'USD' }))
  expect(html).toContain('Nov 22: 0 tokens, –')
  expect(html).toContain('Nov 23: 500 tokens, $0.0200')
  expect(html).toContain('block-size:100%')
  expect(renderToStaticMarkup(createElement(DayBars, { days: [days[0]!], currency: 'USD' }))).not.toContain('NaN')
})
