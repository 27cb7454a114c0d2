import { estimateTokens } from '../upstream/usage-meter.ts'
import type { GivenCall } from './scripted-tools.ts'

/** An assistant's turn, before it is written in an API's format. */
export type ScriptedAnswer = {
  /** Unique for each answer of a session; letters, digits, `-`, `_` and `.`. */
  id: string
  /** Seconds since 1970. */
  created: number
  model: string
  /** Says that this model is recorded, if the API has a field for it. */
  note: string
  say: string
  calls: (GivenCall & { id: string })[]
  /** In tokens. */
  usage: { input: number; output: number }
}

/** Estimated at four characters a token. */
export function usageOf(requestCharacters: number, say: string, calls: readonly GivenCall[]): ScriptedAnswer['usage'] {
  const length = calls.reduce((sum, call) => sum + call.tool.length + call.arguments.length, say.length)
  return { input: estimateTokens(requestCharacters), output: Math.max(1, estimateTokens(length)) }
}

/** Cuts a text into pieces about as long as those of models, never within a surrogate pair. */
export const pieces = (text: string): string[] => text.match(/[\s\S]{1,48}(?![\udc00-\udfff])/gu) ?? []

/** A stream event in the form of all three APIs; chat does not name its events. */
export const eventText = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
