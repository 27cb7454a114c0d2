import type { Tool } from '../tools/tool.ts'
import type { AgentEnd } from '../ends/agent-end.ts'
import type { ModelAnswer, ModelFailure, ModelRequest } from './model-call.ts'

/** The effect of an answer: the session's end, or a nudge for a model that neither acted nor ended well. */
export type Verdict = { end: AgentEnd } | { nudge: string; useless?: boolean } | 'go-on'

/** Makes the loop a worker or a reviewer. */
export type AgentRole = {
  system: string
  /** The tools offered with the next question. */
  tools: () => Tool[]
  /** The form that the next answer must have; null: any form. */
  form?: () => ModelRequest['response_format'] | null
  /** Called if the question with a form was refused: returns the question to ask instead; null: nothing helps. */
  refused?: (failure: ModelFailure) => Promise<string | null>
  /** Whether the answer's text is the requested document, and so not a message. */
  isDocument?: (answer: ModelAnswer) => boolean
  /** The effect of an answer in this role; null: the same as in any role. */
  heard?: (answer: ModelAnswer) => Promise<Verdict | null>
  /** Asked after every step. */
  end?: () => AgentEnd | null
  /** The end of the session if the model gives no usable answer. */
  unusable?: (why: string) => AgentEnd
}
