import { leftIn } from './left-text.ts'

/** The words that introduce a plan's undone parts in the text of an end. */
export const NOT_DONE = ' Not done: '

/** An end's text in at most `most` characters. A longer one keeps the names of what was not done, which come last. */
export function shortEnd(text: string, most: number): string {
  if (text.length <= most) return text
  const at = text.lastIndexOf(NOT_DONE)
  if (at < 0) return text.slice(0, most)
  const [named = ''] = text.slice(at).replace(leftIn(text), '').split('\n', 1)
  const kept = named.trimEnd().slice(0, Math.floor(most / 2))
  return `${text.slice(0, Math.min(at, most - kept.length - 1))}…${kept}`
}
