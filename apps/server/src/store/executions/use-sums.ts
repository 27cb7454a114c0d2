import type { UseAmounts } from '@beadloom/core/api/budgets/token-use-api.ts'
import type { Waiting } from '@beadloom/core/tokens/usual-use.ts'
import type { TokenStore } from '../../ports/store/executions.ts'
import type { Writing } from '../database/writer.ts'

type Sums = Omit<UseAmounts, 'costMicros'> & { cost: number | null }

/** No execution lasts longer, so one that ended since a day began was queued at most this long before it. */
const LONGEST_MS = 60 * 24 * 3_600_000

/** For rows `u` of token_use. */
export const useSums = `sum(u.calls) AS calls, sum(u.estimated) AS estimated, sum(u.input) AS input,
  sum(u.output) AS output, sum(u.cached) AS cached, sum(u.reasoning) AS reasoning,
  sum(CASE WHEN u.price_of = '' THEN NULL ELSE u.cost_micros END) AS cost,
  sum(CASE WHEN u.price_of = '' THEN u.input + u.output ELSE 0 END) AS unpriced`

export const useOf = ({ cost, calls, estimated, input, output, cached, reasoning, unpriced }: Sums): UseAmounts => ({
  calls,
  estimated,
  input,
  output,
  cached,
  reasoning,
  costMicros: cost,
  unpriced,
})

/** The use hour by hour, and bead by bead: a forecast is made from it. */
export function useTotals({
  db,
}: Pick<Writing, 'db'>): Pick<
  TokenStore,
  'tokenHours' | 'completedUse' | 'reviewUse' | 'completedBeads' | 'waitingTypes'
> {
  const hours = db.prepare<[string, number], Sums & { hour: number }>(
    `SELECT u.hour AS hour, ${useSums} FROM token_use AS u
     WHERE u.project = ? AND u.hour >= ? GROUP BY u.hour ORDER BY u.hour`,
  )
  // In this order: from few beads to their executions and sessions, each by its index.
  const completed = db.prepare<
    { project: string; most: number },
    Sums & { bead: string; type: string; completed: number }
  >(
    `WITH done AS MATERIALIZED (
       SELECT bead, max(ended_at) AS at FROM (
         SELECT bead, ended_at FROM execution
         WHERE project = @project AND kind = 'work' AND state = 'COMPLETED' ORDER BY queued_at DESC LIMIT @most
       ) GROUP BY bead
     )
     SELECT done.bead AS bead, b.type AS type, done.at AS completed, ${useSums}
     FROM done
     CROSS JOIN bead AS b ON b.project = @project AND b.id = done.bead
     CROSS JOIN execution AS e ON e.project = @project AND e.bead = done.bead
     CROSS JOIN session AS s ON s.execution = e.id
     CROSS JOIN token_use AS u ON u.session = s.id
     GROUP BY done.bead
     ORDER BY done.at DESC, done.bead`,
  )
  const reviews = db.prepare<{ project: string; most: number }, Sums>(
    `SELECT ${useSums}
     FROM (
       SELECT id FROM execution
       WHERE project = @project AND kind = 'review' AND state = 'COMPLETED' ORDER BY queued_at DESC LIMIT @most
     ) AS e
     CROSS JOIN token_use AS u ON u.execution = e.id
     GROUP BY e.id`,
  )
  const count = db.prepare<{ project: string; since: number; queued: number }, { beads: number }>(
    `SELECT count(DISTINCT bead) AS beads FROM execution
     WHERE project = @project AND queued_at >= @queued AND kind = 'work' AND state = 'COMPLETED' AND ended_at >= @since`,
  )
  // Without the index by name SQLite looks at all executions ever. The work branch is reviewed, too, and is no bead.
  const waiting = db.prepare<[string], Waiting>(
    `SELECT e.kind AS kind, coalesce(b.type, '') AS type, count(*) AS count
     FROM execution AS e INDEXED BY one_live_execution
     LEFT JOIN bead AS b ON b.project = e.project AND b.id = e.bead
     WHERE e.project = ? AND e.ended_at IS NULL AND e.state = 'QUEUED' AND (b.id IS NOT NULL OR e.kind = 'review')
     GROUP BY e.kind, 2 ORDER BY count DESC, kind, type`,
  )
  return {
    tokenHours: (project, since) => hours.all(project, since).map((row) => ({ hour: row.hour, use: useOf(row) })),
    completedUse: (project, most) =>
      completed
        .all({ project, most })
        .map((row) => ({ bead: row.bead, type: row.type, at: row.completed, use: useOf(row) })),
    reviewUse: (project, most) => reviews.all({ project, most }).map(useOf),
    completedBeads: (project, since) => count.get({ project, since, queued: since - LONGEST_MS })?.beads ?? 0,
    waitingTypes: (project) => waiting.all(project),
  }
}
