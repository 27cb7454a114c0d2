import { estimateTokens } from '../upstream/usage-meter.ts'
import type { GivenCall } from './scripted-tools.ts'

/** An assistant's turn, before it is put into the words of an API. */
export type ScriptedAnswer = {
  /** Unique for each answer of a session; letters, digits, `-`, `_` and `.`. */
  id: string
  /** Seconds since 1970. */
  created: number
  model: string
  /** What the model is, where the API has a place for it. */
  note: string
  say: string
  calls: (GivenCall & { id: string })[]
  /** In tokens. */
  usage: { input: number; output: number }
}

/** Four characters a token, as everywhere where nobody counts. */
export function usageOf(requestCharacters: number, say: string, calls: readonly GivenCall[]): ScriptedAnswer['usage'] {
  const length = calls.reduce((sum, call) => sum + call.tool.length + call.arguments.length, say.length)
  return { input: estimateTokens(requestCharacters), output: Math.max(1, estimateTokens(length)) }
}

/** About as long as what a model sends at once, and never half of a surrogate pair. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,48}(?![\udc00-\udfff])/gu) ?? []

/** As the three APIs write an event of a stream; chat has no names for its events. */
export const eventText = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
