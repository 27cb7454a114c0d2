import type { ExecutionKind } from '@beadloom/core/records/execution.ts'
import { planning } from './planning/planning-kind.ts'
import { review } from './review/review-kind.ts'
import { work } from './work/work-kind.ts'
import type { WorkflowKind } from './workflow.ts'

/** A new kind of execution is written beside `work/`, `review/` and `planning/`, and named here. */
export const kinds: Record<ExecutionKind, WorkflowKind> = { work, review, plan: planning }
