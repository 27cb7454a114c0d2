import type { AgentOrder } from '@beadloom/core/session-order.ts'
import type { AgentEnd, AgentVoice } from './agent-end.ts'
import { AgentOutput } from './agent-output.ts'
import { runCommand, shell } from './run-command.ts'
import { commandStop, describeEnd, recordOutput, type SessionDeps } from './session-deps.ts'

/** Some command lines hang after they have said that they are done. */
const GRACE_AFTER_OVER_MS = 10_000
/** The execution's own deadline stops an agent; this only keeps the timer within what a timer can hold. */
const NO_LIMIT_MS = 7 * 24 * 3_600_000

/** Any command line as the agent: the prompt on standard input, success is exit code 0. */
export async function runCommandAgent(
  deps: SessionDeps,
  voice: AgentVoice,
  { command }: Extract<AgentOrder, { name: 'command' }>,
  prompt: string,
  graceMs = GRACE_AFTER_OVER_MS,
): Promise<AgentEnd> {
  const { clock, env, order } = deps
  let over: 'success' | 'failed' | null = null
  const [ended, hanging] = [new AbortController(), new AbortController()]
  const output = new AgentOutput(voice, recordOutput(deps), (how) => {
    if (over === null) {
      void clock.sleep(graceMs, ended.signal).then(() => ended.signal.aborted || hanging.abort())
    }
    over = how
  })
  const signal = AbortSignal.any([commandStop(deps), hanging.signal])
  const spec = { argv: shell(command), cwd: order.workspace, env, timeoutMs: NO_LIMIT_MS, signal, stdin: prompt }
  const end = await runCommand(spec, output.take, clock)
  ended.abort()
  await output.end()

  if (deps.writer.overflow.aborted)
    return {
      outcome: 'failed',
      text: 'the agent was stopped: it printed more than a record may hold',
      exitCode: end.exitCode,
    }
  if (hanging.signal.aborted) {
    const text = 'the agent said that it was done and did not end; it was stopped'
    return { outcome: over === 'success' ? 'success' : 'failed', text, exitCode: end.exitCode }
  }
  const good = end.reason === 'exited' && end.exitCode === 0
  return {
    outcome: good ? 'success' : 'failed',
    text: describeEnd('the agent', end, NO_LIMIT_MS),
    exitCode: end.exitCode,
  }
}
