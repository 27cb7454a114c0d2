import type { Translator } from '@beadloom/core/agents/preset.ts'
import type { AgentOrder } from '@beadloom/core/execution/session-order.ts'
import { stoppedEnd, type AgentEnd, type AgentVoice } from '../ends/agent-end.ts'
import { AgentOutput } from './agent-output.ts'
import type { Over } from './news-record.ts'
import { runCommand, shell, type CommandEnd, type Env } from '../commands/run-command.ts'
import { commandStop, describeEnd, type SessionDeps } from '../commands/session-deps.ts'

/** Some command lines hang after they have said they are done. */
export const GRACE_AFTER_OVER_MS = 10_000
/** The largest value for the timer; the execution's deadline stops an agent earlier. */
const NO_LIMIT_MS = 7 * 24 * 3_600_000

/** Runs any command line as the agent: the prompt on standard input; success is exit code 0. */
export function runCommandAgent(
  deps: SessionDeps,
  voice: AgentVoice,
  { command }: Extract<AgentOrder, { name: 'command' }>,
  prompt: string,
  graceMs = GRACE_AFTER_OVER_MS,
): Promise<AgentEnd> {
  return runProgram(deps, voice, { argv: shell(command), env: deps.env, stdin: prompt, translate: null, graceMs })
}

export type Program = {
  argv: [string, ...string[]]
  env: Env
  stdin: string | null
  /** Null: recognised by its output. */
  translate: Translator | null
  /** The longest time for which it may stay after it has said that it is done; then it is stopped. */
  graceMs: number
}

/** Runs an agent that is a program. It failed if its exit code or its own words say so. */
export async function runProgram(deps: SessionDeps, voice: AgentVoice, program: Program): Promise<AgentEnd> {
  const { clock, order } = deps
  const { argv, env, stdin, translate, graceMs } = program
  let over: Over | null = null
  const [ended, hanging] = [new AbortController(), new AbortController()]
  let grace: AbortController | null = null
  const onOver = (said: Over | null) => {
    over = said
    if (said === null) {
      grace?.abort()
      grace = null
    } else if (grace === null) {
      grace = new AbortController()
      const signal = AbortSignal.any([ended.signal, grace.signal])
      void clock.sleep(graceMs, signal).then(() => signal.aborted || hanging.abort())
    }
  }
  const output = new AgentOutput(deps, voice, onOver, translate)
  const stop = AbortSignal.any([commandStop(deps), voice.enough])
  const signal = AbortSignal.any([stop, hanging.signal])
  const input = stdin === null ? {} : { stdin }
  const spec = { argv, cwd: order.workspace, env, timeoutMs: NO_LIMIT_MS, signal, ...input }
  const end = await runCommand(spec, output.take, clock)
  ended.abort()
  await output.end()
  const { exitCode } = end
  if (stop.aborted) return stoppedEnd(deps, voice, exitCode)
  const text = textOfEnd(end, over, hanging.signal.aborted)
  const good = hanging.signal.aborted ? over !== null : end.reason === 'exited' && exitCode === 0
  return good && saidHow(over) !== 'failed'
    ? { outcome: 'success', text, exitCode }
    : { outcome: 'failed', reason: 'agent_failed', text, exitCode }
}

const saidHow = (over: Over | null) => over?.how ?? null

function textOfEnd(end: CommandEnd, over: Over | null, hung: boolean): string {
  const failed = over?.how === 'failed' ? `the agent failed${over.text === null ? '' : `: ${over.text}`}` : null
  if (hung)
    return failed === null
      ? 'the agent said it was done but did not exit, so it was stopped'
      : `${failed}; it did not exit, so it was stopped`
  return failed ?? describeEnd('the agent', end, NO_LIMIT_MS)
}
