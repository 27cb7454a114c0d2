import { buildExecutionPrompt, withPreviousAttempt } from '@beadloom/core/prompt.ts'
import type { RunContext } from './run-context.ts'

/** Attempt 1 is the plain execution prompt, byte for byte; what its branch needs stands with the person's own words. Later ones carry the digest of the attempt before. */
export function promptFor(run: RunContext, attempt: number, digest: string | null): string {
  const { bead, settings, execution } = run
  const inputs = {
    bead: { id: bead.id, title: bead.title, description: bead.description },
    projectName: settings.name,
    techStack: settings.techStack,
    testCommand: settings.test ?? '',
    timeoutMs: settings.limits.executionTimeoutMs,
    userContext: [execution.context, run.notice].filter(Boolean).join('\n\n'),
  }
  if (attempt === 1 || digest === null) return buildExecutionPrompt(inputs)
  return withPreviousAttempt(inputs, { attempt, maxAttempts: settings.maxAttempts, digest })
}
