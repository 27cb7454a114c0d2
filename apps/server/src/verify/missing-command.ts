import { notFoundWords, ownImageOf } from '@beadloom/core/environment/setup-failures/not-found-words.ts'
import { programIn } from '@beadloom/core/execution/failure/failing-checks.ts'
import type { Failure } from '@beadloom/core/records/failure/failure.ts'
import { COMMAND_NOT_FOUND } from '@beadloom/core/execution/next-step.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'

/** A check whose program is missing in its container, and a person's way out. */
export function missingCommand(
  failures: readonly Verification[],
  settings: ProjectSettings,
): Extract<Failure, { kind: 'command_not_found' }> {
  const missing = failures.find(({ exitCode }) => exitCode === COMMAND_NOT_FOUND)
  const { name: step = 'test', command = '' } = missing ?? {}
  const program = missing ? programIn(missing) : null
  return { kind: 'command_not_found', step, command, program, fix: notFoundWords(program, ownImageOf(settings)) }
}
