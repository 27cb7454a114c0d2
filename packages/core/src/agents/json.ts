import { isObject, type JsonObject } from '../text/json-object.ts'

/** Anything may have printed this: every field may be missing or of another type. */
export type Json = JsonObject

/** The value at this path of keys, or undefined if the path ends early. */
export const at = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

/** A text that is not blank, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() ? value : null)

/**
 * Some agents repeat an error as a whole JSON document; then this returns the text at this path. Any other text is
 * returned as it is.
 */
export function sentenceIn(said: unknown, ...keys: string[]): string | null {
  const text = textOf(said)
  if (text === null || !text.startsWith('{')) return text
  try {
    return textOf(at(JSON.parse(text), ...keys)) ?? text
  } catch {
    return text
  }
}

/** Texts unchanged, everything else as JSON; '' for a missing value. */
export const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

export const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0

/** The text blocks of a message's content, or its only text; null if there is none. */
export function textBlocks(content: unknown): string | null {
  if (!Array.isArray(content)) return textOf(content)
  const texts = content.filter((block) => at(block, 'type') === 'text').map((block) => at(block, 'text'))
  return textOf(texts.filter((text) => typeof text === 'string').join('\n'))
}

/** A command's output, followed by its exit code if that is not 0, in the form of the built-in agent's tool. */
export function withExit(output: string, code: unknown): string {
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || code === 0) return output
  return `${output}${output === '' || output.endsWith('\n') ? '' : '\n'}[exit code ${code}]`
}
