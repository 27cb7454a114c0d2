/** A text of at most `limit` characters: a longer one loses its middle, and says so. */
export function cutMiddle(text: string, limit: number): string {
  const ends = endsOf(text, limit)
  return ends.omitted === 0 ? text : joinEnds(ends)
}

/** The parts of a cut text: `omitted` characters between the two are missing. */
export type Ends = { head: string; tail: string; omitted: number }

export function endsOf(text: string, limit: number): Ends {
  if (text.length <= limit) return { head: text, tail: '', omitted: 0 }
  const half = Math.floor(limit / 2)
  return { head: text.slice(0, half), tail: text.slice(text.length - half), omitted: text.length - 2 * half }
}

/** `note`: the place of the cut in the text, or advice about it. */
export const joinEnds = ({ head, tail, omitted }: Ends, note = ''): string =>
  `${head.toWellFormed()}\n[… ${omitted.toLocaleString('en-US')} characters left out${note && `: ${note}`} …]\n${tail.toWellFormed()}`
