/** One count of the store; the meaning of `a` and `b` depends on `name`. */
export type FigureRow = { name: FigureName; a: string; b: string; value: number }

/**
 * For work: `end`: state, reason. `attempts`: the number of an ended execution. `retry`: layer, reason. `verification`:
 * type of step, `passed` or `failed`. `tokens`: `input` or `output`. `queue` and `first_event`: the duration's bucket,
 * as its upper bound in milliseconds, or `-1` for longer; the sums are milliseconds. `review`: verdict, empty without
 * one. `review_issue`: severity of a filed issue. `review_end`, `plan_end`, …: as for work. `complex_end`, …: the part
 * of complex executions. `fresh_start`, `handover`, `sub_agent` and `context_used_up`: `complex` or `simple`.
 */
export type FigureName =
  | OfExecution
  | `complex_${OfExecution}`
  | 'fresh_start'
  | 'handover'
  | 'sub_agent'
  | 'context_used_up'
  | 'attempts'
  | 'review_attempts'
  | 'plan_attempts'
  | 'verification'
  | 'tokens'
  | 'queue'
  | 'queue_sum'
  | 'first_event'
  | 'first_event_sum'
  | 'review'
  | 'review_issue'

type OfExecution = 'end' | 'retry' | 'review_end' | 'review_retry' | 'plan_end' | 'plan_retry'

export interface FigureCounts {
  /** Since the data folder was created, including removed projects. At most some hundred rows. */
  figures(): FigureRow[]
  /** Upper bounds of the buckets, milliseconds, ascending. */
  figureBuckets(): number[]
}
