import type { Tool } from '../tools/tool.ts'
import type { AgentEnd } from '../agents/agent-end.ts'
import type { ModelAnswer, ModelFailure, ModelRequest } from './model-call.ts'

/** What an answer means for the session: its end, or what to tell a model that did neither act nor end well. */
export type Verdict = { end: AgentEnd } | { nudge: string; useless?: boolean } | 'go-on'

/** What makes the loop a worker or a reviewer. */
export type AgentRole = {
  system: string
  /** What is offered with the next question. */
  tools: () => Tool[]
  /** The form that the next answer must have; null: any form. */
  form?: () => ModelRequest['response_format'] | null
  /** The question with a form was refused: what to ask instead; null: nothing helps. */
  refused?: (failure: ModelFailure) => Promise<string | null>
  /** Whether its text is the document that was asked for, and so not a message. */
  isDocument?: (answer: ModelAnswer) => boolean
  /** What an answer means in this role; null: the same as in any. */
  heard?: (answer: ModelAnswer) => Promise<Verdict | null>
  /** Asked after every step. */
  end?: () => AgentEnd | null
  /** How a session ends whose model gives no usable answer. */
  unusable?: (why: string) => AgentEnd
}
