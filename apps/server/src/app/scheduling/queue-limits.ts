import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { resolveRetry, type RetryInput } from '@beadloom/core/records/retry.ts'
import type { NewExecution } from '../../ports/store/executions.ts'

/** The limits of a new execution: those given with it, else the project's, else the defaults. */
export function queueLimits(
  settings: ProjectSettings | null,
  given: RetryInput = {},
): Pick<NewExecution, 'maxAttempts' | 'retry' | 'maxSessions'> {
  const ours = settings?.retry
  const retry = resolveRetry(given, ours ? { ...ours, retryMaxTime: ours.retryMaxTime ?? 0 } : {})
  return {
    maxAttempts: settings?.maxAttempts ?? 1,
    retry,
    ...(settings ? { maxSessions: settings.limits.maxSessions } : {}),
  }
}
