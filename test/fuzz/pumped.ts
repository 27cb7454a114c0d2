/**
 * A text of any length: what is in front, the same part again and again, and an end. The middle of a part is `inner`
 * repeated to at least `width` characters.
 */
export type Pumped = { head: string; start: string; inner: string; width: number; end: string; tail: string }

/** At least so many characters, and a part more at most. */
export function textOf({ head, start, inner, width, end, tail }: Pumped, length: number): string {
  // Numbers differ from part to part where a part asks for it: what is counted by its name must not be one thing.
  const part = start + (inner === '' ? '' : inner.repeat(Math.ceil(width / inner.length))) + end
  if (part === '') return head + tail
  const count = Math.max(1, Math.ceil(length / part.length))
  if (!part.includes('\u{F8FF}')) return head + part.repeat(count) + tail
  return head + Array.from({ length: count }, (_, at) => part.replaceAll('\u{F8FF}', String(at))).join('') + tail
}
