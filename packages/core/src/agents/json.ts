/** What an agent prints is anybody's: every field may be missing or of another type. */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value behind these keys, or undefined where the way ends. */
export const at = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

/** A text with something in it, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() ? value : null)

/** Where a text is a whole document of JSON, as which some agents repeat an error, the text behind these keys in it. */
export function sentenceIn(said: unknown, ...keys: string[]): string | null {
  const text = textOf(said)
  if (text === null || !text.startsWith('{')) return text
  try {
    return textOf(at(JSON.parse(text), ...keys)) ?? text
  } catch {
    return text
  }
}

/** Texts as they are, everything else as JSON; nothing for what is not there. */
export const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

export const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0

/** The text blocks of a message's content, which may also be one text. */
export function textBlocks(content: unknown): string | null {
  if (!Array.isArray(content)) return textOf(content)
  const texts = content.filter((block) => at(block, 'type') === 'text').map((block) => at(block, 'text'))
  return textOf(texts.filter((text) => typeof text === 'string').join('\n'))
}
