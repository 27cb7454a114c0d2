import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { useKeys, type TokenUseRow, type UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'
import { budgetDay } from '@beadloom/core/budget/periods.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { PRICES_OF } from '@beadloom/core/budget/model-prices.ts'
import { UseTables } from '@beadloom/core/tokens/sum-use.ts'
import { csvHead, csvLine } from '@beadloom/core/tokens/use-csv.ts'
import { dayStart, useOfDays, useOfLastHour, useSince } from '@beadloom/core/tokens/use-hours.ts'
import { queueForecast, usualUse } from '@beadloom/core/tokens/usual-use.ts'
import type { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { noProject } from '../../app/stored/refusals.ts'

const DAY_MS = 24 * 3_600_000
const WEEK_DAYS = 7
/** As many bars as fit on a phone. */
const BAR_DAYS = 14
/** Days that are read at once: adding up a year must not keep others waiting. */
const DAYS_AT_ONCE = 3
/** Newer beads predict the next one's cost better, and a median needs no thousands. */
const SAMPLE = 500

type Needed = 'project' | 'tokenUse' | 'tokenHours' | 'completedUse' | 'reviewUse' | 'completedBeads' | 'waitingTypes'
export type BudgetDeps = { store: Pick<Store, Needed>; clock: Pick<Clock, 'now'>; currency: string }

/** The use of today (UTC) and the days before, `days` in all, and the probable cost of the queue. */
export async function budget(
  { store, clock, currency }: BudgetDeps,
  id: ProjectId,
  days: number,
): Promise<BudgetView | Problem> {
  if (!store.project(id)) return noProject(id)
  const now = clock.now()
  const since = dayStart(now, days - 1)
  const tables = new UseTables()
  for await (const rows of useByParts(store, id, since, now)) for (const row of rows) tables.add(row)
  const hours = store.tokenHours(id, dayStart(now, BAR_DAYS - 1))
  await nextTurn()
  const done = store.completedUse(id, SAMPLE)
  return {
    at: now,
    days,
    from: budgetDay(since),
    all: tables.all,
    retries: tables.retries,
    by: Object.fromEntries(useKeys.map((key) => [key, tables.table(key, key === 'day' ? days : undefined)])) as Record<
      UseKey,
      ReturnType<UseTables['table']>
    >,
    today: useSince(hours, dayStart(now)),
    week: useSince(hours, dayStart(now, WEEK_DAYS - 1)),
    lastDays: useOfDays(hours, now, BAR_DAYS),
    hour: useOfLastHour(hours, now),
    queue: queueForecast(store.waitingTypes(id), done, store.reviewUse(id, SAMPLE)),
    merged: { beads: store.completedBeads(id, since), usual: usualUse(done.filter(({ at }) => at >= since)) },
    currency,
    pricesOf: PRICES_OF,
  }
}

/** The same rows as a file, the newest day first. */
export function budgetCsv(
  { store, clock, currency }: BudgetDeps,
  id: ProjectId,
  days: number,
): AsyncIterable<string> | Problem {
  if (!store.project(id)) return noProject(id)
  return csvOf(useByParts(store, id, dayStart(clock.now(), days - 1), clock.now()), currency)
}

async function* csvOf(parts: AsyncIterable<TokenUseRow[]>, currency: string): AsyncGenerator<string> {
  yield csvHead
  for await (const rows of parts) if (rows.length > 0) yield rows.map((row) => csvLine(row, currency)).join('')
}

/** Rows since a day began, part by part, the newest first; no day is split. */
async function* useByParts(
  store: Pick<Store, 'tokenUse'>,
  project: ProjectId,
  since: number,
  now: number,
): AsyncGenerator<TokenUseRow[]> {
  let until = Number.MAX_SAFE_INTEGER
  for (let from = dayStart(now, DAYS_AT_ONCE - 1); until > since; from -= DAYS_AT_ONCE * DAY_MS) {
    const start = Math.max(from, since)
    yield store.tokenUse(project, { since: start, until })
    until = start
    await nextTurn()
  }
}
