/**
 * A text of any length: a head, the same part again and again, and a tail. The middle of a part is `inner` repeated to
 * at least `width` characters.
 */
export type Pumped = { head: string; start: string; inner: string; width: number; end: string; tail: string }

/** The text with at least `length` characters, and at most one part more. */
export function textOf({ head, start, inner, width, end, tail }: Pumped, length: number): string {
  // A part may ask for a number that differs each time: things that are counted by name must differ in name.
  const part = start + (inner === '' ? '' : inner.repeat(Math.ceil(width / inner.length))) + end
  if (part === '') return head + tail
  const count = Math.max(1, Math.ceil(length / part.length))
  if (!part.includes('\u{F8FF}')) return head + part.repeat(count) + tail
  return head + Array.from({ length: count }, (_, at) => part.replaceAll('\u{F8FF}', String(at))).join('') + tail
}
