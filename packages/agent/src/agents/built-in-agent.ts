import { join } from 'node:path'
import OpenAI from 'openai'
import { builtInAgents } from '@beadloom/core/agents/named/built-in-agents.ts'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import { TokenTracker } from '@beadloom/core/context/token-tracker.ts'
import { runAttempts } from '../fresh-starts/run-attempts.ts'
import { runChecks } from '../fresh-starts/run-checks.ts'
import type { AgentRole } from '../loop/agent-role.ts'
import type { LoopStart } from '../loop/loop.ts'
import { runReactLoop } from '../loop/react-loop.ts'
import { commandStop, type SessionDeps } from '../commands/session-deps.ts'
import { PLACEHOLDER_KEY } from '../commands/session-env.ts'
import { Conversations } from './conversations.ts'
import { delegating } from '../subagents/delegating-role.ts'
import { spawnSubagent } from '../subagents/spawn-subagent.ts'
import { OutputFolder } from '../tools/output-folder.ts'
import { stoppedEnd, type AgentEnd, type AgentVoice } from '../ends/agent-end.ts'

type BuiltInTask = {
  order: OpenAiOrder
  prompt: string
  /** The prompt instead, if its last conversation here can be continued. */
  continues?: string | undefined
  /** Its conversation is kept for a later session. */
  keeps?: boolean
}

/** Runs the built-in agent of a session, in the given role. */
export async function runBuiltInAgent(
  deps: SessionDeps,
  voice: AgentVoice,
  { order, prompt, continues, keeps = false }: BuiltInTask,
  role: AgentRole,
): Promise<AgentEnd> {
  const { writer, clock, env } = deps
  const scratch = env['TMPDIR'] ?? '/tmp'
  // The gateway retries calls and counts tokens; an answer may take as long as the execution has.
  const client = new OpenAI({
    baseURL: `${deps.linkUrl}/v1`,
    apiKey: PLACEHOLDER_KEY,
    maxRetries: 0,
    timeout: 3_600_000,
    logLevel: 'off', // errors are in the record, in our own words
  })
  const record = { write: writer.write.bind(writer), say: (text: string) => voice.say(text) }
  const spawn = spawnSubagent({ order, client, record, scratch }, order.agents ?? builtInAgents, role.tools)
  const conversations = new Conversations(keeps ? env['HOME'] : undefined)
  const before = continues !== undefined && (await conversations.isOf(order.name)) ? await conversations.kept() : null
  await conversations.begin(order.name)
  const start: LoopStart = {
    order,
    role: delegating(role, spawn),
    prompt,
    client,
    context: {
      workspace: deps.order.workspace,
      env,
      clock,
      stop: AbortSignal.any([commandStop(deps), voice.enough]),
      timeoutMs: order.toolTimeoutMs,
      outputLimit: order.toolOutputLimit,
      outputs: new OutputFolder(join(scratch, 'beadloom')),
    },
    budget: {
      windowTokens: order.windowTokens,
      spent: new TokenTracker(order.tokenBudget ?? Infinity),
      warningThreshold: order.warnAtPercent,
    },
    record,
    stopped: () => stoppedEnd(deps, voice),
    ...(keeps && { keep: (talk) => conversations.keep(talk.text()) }),
    ...(before !== null && continues !== undefined && { earlier: { text: before, next: continues } }),
  }
  const { freshStarts } = order
  if (freshStarts === undefined) return (await runReactLoop(start)).end
  const { end } = await runAttempts(start, freshStarts, {
    check: () => runChecks(deps, freshStarts.checks),
    isBlocked: () => voice.blocked !== null,
  })
  return end
}
