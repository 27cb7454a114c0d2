import { buildExecutionPrompt, withPreviousAttempt, type PromptInput } from '@beadloom/core/execution/prompt.ts'
import type { RunContext } from './run-context.ts'

/** Attempt 1 is the plain execution prompt, byte for byte; what its branch needs stands with the person's own words. Later ones carry the digest of what failed before. */
export function promptFor(run: RunContext, attempt: number, digest: string | null): string {
  const inputs = inputsOf(run)
  if (attempt === 1 || digest === null) return buildExecutionPrompt(inputs)
  return withPreviousAttempt(inputs, { attempt, maxAttempts: run.execution.maxAttempts, digest })
}

/** The task as the first attempt gets it. */
export const taskOf = (run: RunContext): string => buildExecutionPrompt(inputsOf(run))

function inputsOf({ bead, settings, execution, notice }: RunContext): PromptInput {
  return {
    bead: { id: bead.id, title: bead.title, description: bead.description },
    projectName: settings.name,
    techStack: settings.techStack,
    testCommand: settings.test ?? '',
    timeoutMs: settings.limits.executionTimeoutMs,
    userContext: [execution.context, notice].filter(Boolean).join('\n\n'),
  }
}
