import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { settleRetry, type RetryInput } from '@beadloom/core/execution/retry.ts'
import type { NewExecution } from '../../ports/store/executions.ts'

/** The caps of a new execution: what a person gave with it, then the project's, then the defaults. */
export function queueLimits(
  settings: ProjectSettings | null,
  given: RetryInput = {},
): Pick<NewExecution, 'maxAttempts' | 'retry' | 'maxSessions'> {
  const ours = settings?.retry
  const retry = settleRetry(given, ours ? { ...ours, retryMaxTime: ours.retryMaxTime ?? 0 } : {})
  return {
    maxAttempts: settings?.maxAttempts ?? 1,
    retry,
    ...(settings ? { maxSessions: settings.limits.maxSessions } : {}),
  }
}
