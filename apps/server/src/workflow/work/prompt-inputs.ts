import { buildExecutionPrompt, withPreviousAttempt, type PromptInput } from '@beadloom/core/execution/prompt.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'

/**
 * Attempt 1 is the plain execution prompt, byte for byte; what its branch needs is in the section of the person's own
 * words. Later ones carry the digest of what failed before.
 */
export function promptFor(live: LiveExecution, attempt: number, digest: string | null): string {
  const inputs = inputsOf(live)
  if (attempt === 1 || digest === null) return buildExecutionPrompt(inputs)
  return withPreviousAttempt(inputs, {
    attempt,
    maxAttempts: storedOf(live).maxAttempts,
    digest,
    checks: live.settings.verify,
  })
}

/** The task as the first attempt gets it. */
export const taskOf = (live: LiveExecution): string => buildExecutionPrompt(inputsOf(live))

function inputsOf(live: LiveExecution): PromptInput {
  const { bead, settings } = live
  const { context, notice } = storedOf(live)
  return {
    bead: { id: bead.id, title: bead.title, description: bead.description },
    projectName: settings.name,
    techStack: settings.techStack,
    testCommand: settings.test ?? '',
    timeoutMs: settings.limits.executionTimeoutMs,
    userContext: [context, notice].filter(Boolean).join('\n\n'),
  }
}
