/** A text of at most `limit` characters: the middle of a longer one is cut out, and the text says so. */
export function cutMiddle(text: string, limit: number): string {
  const ends = endsOf(text, limit)
  return ends.omitted === 0 ? text : joinEnds(ends)
}

/** What remains of a text that was cut: `omitted` characters between the two are missing. */
export type Ends = { head: string; tail: string; omitted: number }

export function endsOf(text: string, limit: number): Ends {
  if (text.length <= limit) return { head: text, tail: '', omitted: 0 }
  const half = Math.floor(limit / 2)
  return { head: text.slice(0, half), tail: text.slice(text.length - half), omitted: text.length - 2 * half }
}

/** `note`: where in the text the cut is, or what to do about it. */
export const joinEnds = ({ head, tail, omitted }: Ends, note = ''): string =>
  `${head.toWellFormed()}\n[… ${omitted.toLocaleString('en-US')} characters left out${note && `: ${note}`} …]\n${tail.toWellFormed()}`
