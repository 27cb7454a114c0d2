import type { Durations, Figures } from '@beadloom/core/api/figures-api.ts'
import { reviewVerdicts } from '@beadloom/core/review/review.ts'
import { severities } from '@beadloom/core/review/severity.ts'
import type { FigureCounts, FigureName, FigureRow } from '../../ports/store/figures.ts'

/** How executions ended so far, from the store's counts. */
export function figuresOf(store: FigureCounts): Figures {
  const rows = store.figures()
  const named = (name: FigureName): FigureRow[] => rows.filter((row) => row.name === name)
  const valueOf = (name: FigureName, a = ''): number => named(name).find((row) => row.a === a)?.value ?? 0
  const durations = (name: 'queue' | 'first_event'): Durations => {
    const counts = named(name)
    const upTo = (le: number) => sum(counts.filter(({ a }) => Number(a) !== -1 && Number(a) <= le))
    const buckets = store.figureBuckets().map((leMs) => ({ leMs, count: upTo(leMs) }))
    return { count: sum(counts), sumMs: valueOf(`${name}_sum`), buckets }
  }
  const ended = named('end').map(({ a, b, value }) => ({ state: a, reason: b || null, count: value }))
  const retries = named('retry').map(({ a, b, value }) => ({ layer: a, reason: b, count: value }))
  const all = sum(named('end'))
  const uncancelled = sum(named('end').filter(({ a }) => a !== 'CANCELLED'))
  return {
    ended,
    attempts: named('attempts')
      .map(({ a, value }) => ({ attempts: Number(a), count: value }))
      .sort((one, other) => one.attempts - other.attempts),
    retries,
    verifications: named('verification').map(({ a, b, value }) => ({ type: a, passed: b === 'passed', count: value })),
    averageRetries: all === 0 ? null : sum(named('retry')) / all,
    successRate: uncancelled === 0 ? null : sum(named('end').filter(({ a }) => a === 'COMPLETED')) / uncancelled,
    queue: durations('queue'),
    firstEvent: durations('first_event'),
    reviews: named('review').map(({ a, value }) => ({
      verdict: reviewVerdicts.find((verdict) => verdict === a) ?? null,
      count: value,
    })),
    reviewIssues: severities.map((severity) => ({ severity, count: valueOf('review_issue', severity) })),
    tokens: { input: valueOf('tokens', 'input'), output: valueOf('tokens', 'output') },
  }
}

const sum = (rows: readonly { value: number }[]): number => rows.reduce((total, { value }) => total + value, 0)
