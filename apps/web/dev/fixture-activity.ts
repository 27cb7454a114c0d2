import type { ActivityItem, ActivityView } from '@beadloom/core/api/projects/activity-api.ts'
import { now, type FixtureProject } from './fixture-data.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A night and the days before it: three at a time in the evening, pauses, one that failed twice, and some that run. */
export function activityOf({ view, beads, executions }: FixtureProject, days: number): ActivityView {
  const list = [...beads.values()]
  const item = (n: number, ago: number, took: number | null, given: Partial<ActivityItem> = {}): ActivityItem => {
    const bead = list[n % Math.max(1, list.length)]
    const startedAt = now - ago
    return {
      execution: `ex-past-${n}`,
      bead: bead?.id ?? `old-${n}`,
      title: bead?.title ?? 'Old',
      kind: 'work',
      state: took === null ? 'RUNNING' : 'COMPLETED',
      detail: '',
      startedAt,
      endedAt: took === null ? null : startedAt + took,
      isMerged: took !== null,
      diff: took === null ? null : { files: 1 + (n % 7), added: 12 * (1 + (n % 9)), removed: 5 * (n % 6) },
      tokens: 18_000 + 7_000 * (n % 5),
      costMicros: 120_000 + 45_000 * (n % 4),
      ...given,
    }
  }
  const failed = {
    state: 'FAILED',
    isMerged: false,
    diff: null,
    detail: 'Checks kept failing: 2 tests failed.',
  } as const
  const blocked = { state: 'BLOCKED', isMerged: false, diff: null, detail: 'Which licence is meant?' } as const
  const many = view.id === 'edges' ? 600 : view.id === 'blank' || executions.size === 0 ? 0 : 14
  const past = Array.from({ length: many }, (_, n) =>
    item(n, 9 * HOUR + (n % 3) * 4 * MINUTE + Math.floor(n / 3) * 16 * MINUTE, (6 + ((n * 7) % 9)) * MINUTE, {
      ...(n % 11 === 4 && failed),
      ...(n % 13 === 7 && blocked),
    }),
  )
  const older =
    many === 14 ? Array.from({ length: 9 }, (_, n) => item(n + 20, 50 * HOUR + n * 9 * MINUTE, 14 * MINUTE)) : []
  const live = many === 14 ? [item(0, 9 * MINUTE, null), item(1, 4 * MINUTE, null)] : []
  const from = now - days * 24 * HOUR
  const items = [...live, ...past, ...older]
    .filter(({ endedAt }) => endedAt === null || endedAt >= from)
    .toSorted((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
  return { at: now, from, items, left: view.id === 'edges', currency: 'USD' }
}
