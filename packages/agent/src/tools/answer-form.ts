import type { z } from 'zod/mini'

/** The document that an agent gives at its end. */
export type AnswerForm = {
  /** Its noun. Also part of the name of the tool that takes it if a model has no structured output. */
  name: 'review' | 'plan'
  schema: z.ZodMiniType
  /** Parses a text as this document; `wrong` goes back to the model. */
  parse: (text: string) => { answer: unknown } | { wrong: string }
  /** The description of that tool. */
  tool: string
  /** The built-in agent's system prompt. */
  system: (workspace: string) => string
}
