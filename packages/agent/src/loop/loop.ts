import type OpenAI from 'openai'
import type { LoopWatch } from '@beadloom/core/execution/loop-watch.ts'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import type { AgentEnd } from '../agents/agent-end.ts'
import type { EventWriter } from '../output/event-writer.ts'
import type { ToolContext } from '../tools/tool.ts'
import type { AgentRole } from './agent-role.ts'
import type { Conversation } from './conversation.ts'
import type { LoopBudget, Meters } from './meters.ts'

/** What a loop is given. It knows neither the session nor the container around it. */
export type LoopStart = {
  order: OpenAiOrder
  role: AgentRole
  /** The first message, whole for as long as the loop lasts. */
  prompt: string
  client: OpenAI
  /** What its tools may use; `stop` ends the loop. */
  context: Omit<ToolContext, 'tokens'>
  budget: LoopBudget
  record: LoopRecord
  /** How it ended when `stop` came. */
  stopped: () => AgentEnd
  /** Absent: the session's own, from its beginning. `prefix` sets its steps apart from all others; `agent`: a sub-agent's. */
  caller?: { prefix: string; agent?: string }
}

/**
 * `why`: `done` by its own words, out of `steps` or `tokens`, `stopped`, or `failed`. `answer`: the last that it said, which
 * is a result only where it is done. `steps`: those that it began.
 */
export type LoopEnd = {
  end: AgentEnd
  why: 'done' | 'steps' | 'tokens' | 'stopped' | 'failed'
  answer: string
  steps: number
}

/** Where its events go. */
export type LoopRecord = Pick<EventWriter, 'write'> & {
  /** Its own words. */
  say: (text: string) => Promise<void>
}

/** One in progress. */
export type Loop = Omit<LoopStart, 'prompt' | 'context'> & {
  context: ToolContext
  talk: Conversation
  watch: LoopWatch
  /** How many answers in a row were of no use. */
  useless: number
  meters: Meters
  /** What the agent is told with its next question, and not again. */
  notices: string[]
  /** The last that it said. */
  said: string
}
