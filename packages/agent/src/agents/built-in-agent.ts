import { join } from 'node:path'
import OpenAI from 'openai'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import { TokenTracker } from '@beadloom/core/tokens/token-tracker.ts'
import { stoppedEnd, type AgentEnd, type AgentVoice } from './agent-end.ts'
import type { AgentRole } from '../loop/agent-role.ts'
import { runReactLoop } from '../loop/react-loop.ts'
import { commandStop, type SessionDeps } from '../session/session-deps.ts'
import { PLACEHOLDER_KEY } from '../session/session-env.ts'
import { OutputFolder } from '../tools/output-folder.ts'

/** The built-in agent of a session, in the role that it is given. */
export function runBuiltInAgent(
  deps: SessionDeps,
  voice: AgentVoice,
  order: OpenAiOrder,
  prompt: string,
  role: AgentRole,
): Promise<AgentEnd> {
  const { writer, clock, env } = deps
  // The gateway retries calls and counts tokens; an answer may take as long as the execution has.
  const client = new OpenAI({
    baseURL: `${deps.linkUrl}/v1`,
    apiKey: PLACEHOLDER_KEY,
    maxRetries: 0,
    timeout: 3_600_000,
    logLevel: 'off', // errors are in the record, in our own words
  })
  return runReactLoop({
    order,
    role,
    prompt,
    client,
    context: {
      workspace: deps.order.workspace,
      env,
      clock,
      stop: AbortSignal.any([commandStop(deps), voice.enough]),
      timeoutMs: order.toolTimeoutMs,
      outputLimit: order.toolOutputLimit,
      outputs: new OutputFolder(join(env['TMPDIR'] ?? '/tmp', 'beadloom')),
    },
    budget: {
      windowTokens: order.windowTokens,
      spent: new TokenTracker(order.tokenBudget ?? Infinity),
    },
    record: { write: (body) => writer.write(body), say: (text) => voice.say(text) },
    stopped: () => stoppedEnd(deps, voice),
  })
}
