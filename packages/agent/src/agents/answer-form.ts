import type { z } from 'zod/mini'

/** One document that an agent is asked for at its end. */
export type AnswerForm = {
  /** Its noun, also in the name of the tool that takes it where a model has no structured output. */
  name: 'review' | 'plan'
  schema: z.ZodMiniType
  /** Whether a text is such a document; what is wrong with it goes back to the model. */
  parse: (text: string) => { answer: unknown } | { wrong: string }
  /** The description of that tool. */
  tool: string
  /** The built-in agent's system prompt. */
  system: (workspace: string) => string
}
