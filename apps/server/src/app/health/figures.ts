import type { ByComplexity, Durations, Figures, RetryLayer } from '@beadloom/core/api/server/figures-api.ts'
import { executionKinds, type ExecutionKind } from '@beadloom/core/records/execution.ts'
import { reviewVerdicts } from '@beadloom/core/review/review.ts'
import { severities } from '@beadloom/core/review/severity.ts'
import type { FigureCounts, FigureName, FigureRow } from '../../ports/store/figures.ts'

/** The ends of executions so far, from the store's counts. */
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
  const ofKind = <Name extends 'end' | 'attempts' | 'retry'>(kind: ExecutionKind, name: Name) =>
    kind === 'work' ? name : (`${kind}_${name}` as const)
  /** Counts complex executions and others apart, and leaves out zeros. */
  const both = <T>(name: 'end' | 'retry', make: (row: FigureRow) => T) =>
    executionKinds.flatMap((kind) => {
      const among = named(`complex_${ofKind(kind, name)}`)
      return named(ofKind(kind, name)).flatMap((row) => {
        const complex = among.find(({ a, b }) => a === row.a && b === row.b)?.value ?? 0
        const counts = [
          { complex: false, count: row.value - complex },
          { complex: true, count: complex },
        ]
        return counts.filter(({ count }) => count > 0).map((one) => ({ kind, ...make(row), ...one }))
      })
    })
  const byComplexity = (name: FigureName): ByComplexity => ({
    complex: valueOf(name, 'complex'),
    simple: valueOf(name, 'simple'),
  })
  const retries = both('retry', ({ a, b }) => ({ layer: layerOf(a), reason: b }))
  const started = sum(named('attempts'))
  const perExecution = (layer: RetryLayer): number =>
    sum(named('retry').filter(({ a }) => layerOf(a) === layer)) / started
  const uncancelled = sum(named('end').filter(({ a }) => a !== 'CANCELLED'))
  return {
    ended: both('end', ({ a, b }) => ({ state: a, reason: b || null })),
    attempts: executionKinds
      .flatMap((kind) =>
        named(ofKind(kind, 'attempts')).map(({ a, value }) => ({
          kind,
          attempts: Number(a),
          count: value,
        })),
      )
      .sort((one, other) => one.attempts - other.attempts),
    retries,
    freshStarts: byComplexity('fresh_start'),
    handovers: byComplexity('handover'),
    subAgents: byComplexity('sub_agent'),
    contextUsedUp: byComplexity('context_used_up'),
    verifications: named('verification').map(({ a, b, value }) => ({ type: a, passed: b === 'passed', count: value })),
    averageRetries:
      started === 0
        ? null
        : {
            apiCall: perExecution('api_call'),
            execution: perExecution('execution'),
            attempt: perExecution('attempt'),
            followUp: perExecution('follow_up'),
          },
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

/** The layer's name here; the store's words are older. */
const layerOf = (stored: string): RetryLayer =>
  ({ run: 'execution', verification: 'attempt', follow_up: 'follow_up' } as const)[stored] ?? 'api_call'

const sum = (rows: readonly { value: number }[]): number => rows.reduce((total, { value }) => total + value, 0)
