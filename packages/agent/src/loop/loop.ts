import type OpenAI from 'openai'
import type { LoopWatch } from '@beadloom/core/execution/loop-watch.ts'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import type { AgentEnd } from '../ends/agent-end.ts'
import type { EventWriter } from '../output/event-writer.ts'
import type { ToolContext } from '../tools/tool.ts'
import type { AgentRole } from './agent-role.ts'
import type { Conversation } from './conversation.ts'
import type { LoopBudget, Meters } from './meters.ts'

/** The input of a loop, which knows neither the session nor the container around it. */
export type LoopStart = {
  order: OpenAiOrder
  role: AgentRole
  /** The first message, kept whole as long as the loop lasts. */
  prompt: string
  client: OpenAI
  /** Means that its tools may use; its `stop` ends the loop. */
  context: Omit<ToolContext, 'tokens'>
  budget: LoopBudget
  record: LoopRecord
  /** The end for a loop that `stop` ended. */
  stopped: () => AgentEnd
  /** Its conversation before, as `Conversation.text` gives it, and the message that continues it. */
  earlier?: { text: string; next: string }
  /** Called with its conversation at its end. */
  keep?: (talk: Conversation) => Promise<void>
  /**
   * Absent: the session's own first loop. `prefix` distinguishes its steps from all others; `agent`: a sub-agent's
   * name.
   */
  caller?: { prefix: string; agent?: string }
}

/**
 * `why`: `done` by its own words, out of `steps` or `tokens`, `stopped`, or `failed`. `answer`: its last words, a
 * result only if it is `done`. `steps`: the number that it began.
 */
export type LoopEnd = {
  end: AgentEnd
  why: 'done' | 'steps' | 'tokens' | 'stopped' | 'failed'
  answer: string
  steps: number
}

/** The receiver of its events. */
export type LoopRecord = Pick<EventWriter, 'write'> & {
  /** Takes its own words. */
  say: (text: string) => Promise<void>
}

/** A loop in progress. */
export type Loop = Omit<LoopStart, 'prompt' | 'context'> & {
  context: ToolContext
  talk: Conversation
  watch: LoopWatch
  /** The number of useless answers in a row. */
  useless: number
  meters: Meters
  /** Messages for the agent with its next question only. */
  notices: string[]
  /** Its last words. */
  said: string
}
