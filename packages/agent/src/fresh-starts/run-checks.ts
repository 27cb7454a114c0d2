import { DigestReader } from '@beadloom/core/digest/digest-reader.ts'
import type { FailedCheck } from '@beadloom/core/execution/fresh-starts/failed-attempt.ts'
import type { VerifyStep } from '@beadloom/core/records/verification.ts'
import { commandStop, describeEnd, recordOutput, section, type SessionDeps } from '../commands/session-deps.ts'
import { runCommand, shell, type CommandEnd } from '../commands/run-command.ts'

/**
 * Runs the project's checks in order, in the workspace as the agent left it, and returns those that fail; none after a
 * failed `build`, because they would only repeat its failure. They decide whether the agent begins again, never whether
 * its work is good: only a clean checkout decides that.
 */
export async function runChecks(deps: SessionDeps, checks: readonly VerifyStep[]): Promise<FailedCheck[]> {
  const failed: FailedCheck[] = []
  for (const check of checks) {
    const wrong = await runCheck(deps, check)
    if (deps.stop.aborted || deps.writer.overflow.aborted) return []
    if (wrong) failed.push(wrong)
    if (wrong && check.type === 'build') break
  }
  return failed
}

async function runCheck(
  deps: SessionDeps,
  { type, name, command, timeoutMs }: VerifyStep,
): Promise<FailedCheck | null> {
  const { env, clock, order } = deps
  const reader = new DigestReader({ command, type, roots: [`${order.workspace}/`] })
  const record = recordOutput(deps)
  const spec = { argv: shell(command), cwd: order.workspace, env, timeoutMs, signal: commandStop(deps) }
  const run = () =>
    runCommand(
      spec,
      (stream, text) => {
        reader.push(text)
        return record(stream, text)
      },
      clock,
    )
  const exitCode = ({ reason, exitCode: code }: CommandEnd) => (reason === 'exited' ? code : null)
  const end = await section(deps, `check ${name}`, run, { command, exitCode })
  if (exitCode(end) === 0) return null
  const { digest, summary } = reader.end(end.exitCode)
  const why = end.reason === 'exited' ? '' : `${describeEnd(`the ${name} command`, end, timeoutMs)}\n`
  return { type, name, command, digest: `${why}${digest}`, summary: why === '' ? summary : why.trim() }
}
