import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { useKeys, type TokenUseRow, type UseAmounts, type UseKind } from '@beadloom/core/api/budgets/token-use-api.ts'
import { budgetDay } from '@beadloom/core/budget/periods.ts'
import { noUse, UseTables } from '@beadloom/core/tokens/sum-use.ts'
import { dayStart, useOfDays, useOfLastHour, useSince, type HourUse } from '@beadloom/core/tokens/use-hours.ts'
import { queueForecast, usualUse, type BeadUse } from '@beadloom/core/tokens/usual-use.ts'
import { now, type FixtureProject } from './fixture-data.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The largest that a number of ours can be, and more money than there is. */
const HUGE = 9_000_000_000_000

type Made = { rows: (TokenUseRow & { at: number })[]; done: BeadUse[]; reviewed: UseAmounts[] }

/** A project's use, added up as the server does it. */
export function budgetOf(project: FixtureProject, days: number): BudgetView {
  const made = project.view.id === 'edges' ? overfull() : project.beads.size === 0 ? nothing : usual(project)
  const since = dayStart(now, days - 1)
  const tables = new UseTables()
  for (const { at, ...row } of made.rows) if (at >= since) tables.add(row)
  const hours: HourUse[] = made.rows.map(({ at, ...use }) => ({ hour: at - (at % HOUR), use }))
  const waiting = [...project.executions.values()]
    .filter(({ state }) => state === 'QUEUED')
    .map((run) => ({ kind: run.kind, type: project.beads.get(run.bead)?.type ?? 'task', count: 1 }))
  const more = project.view.id === 'edges' ? manyTypes : []
  const merged = made.done.filter(({ at }) => at >= since)
  return {
    at: now,
    days,
    from: budgetDay(since),
    all: tables.all,
    retries: tables.retries,
    by: Object.fromEntries(useKeys.map((key) => [key, tables.table(key)])) as BudgetView['by'],
    today: useSince(hours, dayStart(now)),
    week: useSince(hours, dayStart(now, 6)),
    lastDays: useOfDays(hours, now, 14),
    hour: useOfLastHour(hours, now),
    queue: queueForecast([...waiting, ...more], made.done, made.reviewed),
    merged: { beads: merged.length, usual: usualUse(merged) },
    currency: 'USD',
    pricesOf: '2026-10-24',
  }
}

const nothing: Made = { rows: [], done: [], reviewed: [] }

const amounts = (input: number, output: number, costMicros: number | null): UseAmounts => ({
  ...noUse,
  calls: Math.max(1, Math.round(input / 20_000)),
  input,
  cached: Math.round(input * 0.7),
  output,
  reasoning: Math.round(output * 0.4),
  costMicros,
  unpriced: costMicros === null ? input + output : 0,
})

/** Two weeks of work with three models; one has no price. */
function usual(project: FixtureProject): Made {
  const beads = [...project.beads.keys()].slice(0, 40)
  const kinds: UseKind[] = ['work', 'work', 'retry', 'work', 'review', 'plan']
  const models = ['gpt-5', 'claude-sonnet-5', 'qwen3-coder-local'] as const
  const presets = ['openai', 'claude', 'codex'] as const
  const rows = Array.from({ length: 160 }, (_, n) => {
    const which = n % 7 === 3 ? 2 : n % 3 === 1 ? 1 : 0
    // Nobody works on the second Sunday.
    const at = now - Math.floor((n * n) / 1600) * DAY - (n % 9) * HOUR
    const input = 40_000 + ((n * 7919) % 90_000)
    const own = which === 2
    return {
      ...amounts(input, Math.round(input / 14), own ? null : input * 2),
      ...(own && { cached: null, reasoning: null, estimated: n % 2 }),
      at,
      day: budgetDay(at),
      bead: beads[(n * 5) % beads.length] ?? '',
      kind: kinds[n % kinds.length] ?? 'work',
      phase: n % 5 === 0 ? 1 + (n % 3) : null,
      model: models[which],
      agent: n % 11 === 0 && which === 0 ? 'docs-agent' : null,
      preset: presets[which],
    }
  })
  const done = Array.from({ length: 31 }, (_, n): BeadUse => {
    const input = 60_000 + ((n * 4241) % 240_000)
    return {
      bead: `done-${n}`,
      type: n % 4 === 0 ? 'bug' : 'task',
      at: now - n * 7 * HOUR,
      use: n % 9 === 0 ? amounts(input, 9_000, null) : amounts(input, 9_000, input * 2),
    }
  })
  return { rows, done, reviewed: rows.filter(({ kind }) => kind === 'review') }
}

const manyTypes = Array.from({ length: 30 }, (_, n) => ({
  kind: n % 6 === 0 ? 'review' : 'work',
  type: n === 1 ? '=HYPERLINK("http://example.org") \u202etxt.exe' : `type-${n}`,
  count: n + 1,
}))

/** More than anybody has, under names that somebody chose to break the page. */
function overfull(): Made {
  const names = [
    '<img src=x onerror=alert(1)>',
    '\u202egnp.exe',
    '=cmd|calc',
    '__proto__',
    `a-model-without-any-space-${'x'.repeat(200)}`,
    'A model whose name is a whole sentence, with commas, and does not end where one would expect it to end at all',
  ]
  const rows = Array.from({ length: 900 }, (_, n) => {
    const at = now - (n % 14) * DAY - (n % 2) * HOUR
    return {
      ...amounts(Math.round(HUGE / (n + 1)), n * 1000, n % 4 === 0 ? null : Math.round(HUGE / (n + 1))),
      at,
      day: budgetDay(at),
      bead: `eg-${String(n % 140).padStart(3, '0')}`,
      kind: n % 3 === 0 ? ('retry' as const) : ('work' as const),
      phase: n % 30,
      model: names[n % names.length] ?? '',
      agent: n % 2 === 0 ? (names[(n + 1) % names.length] ?? '') : null,
      preset: 'openai',
    }
  })
  const done = rows
    .slice(0, 200)
    .map(({ at, ...use }, n): BeadUse => ({ bead: `d-${n}`, type: `type-${n % 25}`, at, use }))
  return { rows, done, reviewed: [] }
}
