import type { Tool } from '../tools/tool.ts'
import type { AgentEnd } from './agent-end.ts'
import type { ModelAnswer, ModelFailure, ModelRequest } from './model-call.ts'

/** What an answer means for the session: its end, or what to tell a model that neither acted nor ended well. */
export type Verdict = { end: AgentEnd } | { nudge: string; useless?: boolean } | 'go-on'

/** What makes the loop a worker or a reviewer. */
export type AgentRole = {
  system: string
  /** What is offered with the next question. */
  tools: () => Tool[]
  /** The form that the next answer must have; null: any. */
  form?: () => ModelRequest['response_format'] | null
  /** The question with a form was refused: what to say instead of it; null: nothing helps. */
  refused?: (failure: ModelFailure) => Promise<string | null>
  /** Whether its text is what was asked for, and told as that instead of as a message. */
  isDocument?: (answer: ModelAnswer) => boolean
  /** What an answer means; null: what it means to everybody. */
  heard?: (answer: ModelAnswer) => Promise<Verdict | null>
  /** Asked after every step. */
  end?: () => AgentEnd | null
  /** The end of a session whose model has nothing usable to say. */
  unusable?: (why: string) => AgentEnd
}
