import { utf8Length } from '../text/utf8-length.ts'

/*
 * The room for a bead in a line of the tracker's file. A bead that a person makes has it, or is refused; the text of a
 * bead that Beadloom writes is shortened.
 */

/** Older versions of `bd` refuse a file with a longer line. */
export const MAX_LINE_BYTES = 64 * 1024

/** The end of a sentence about a line. */
export const TOO_LONG = 'would be longer than 64 KiB, which bd cannot read'

/** The most characters of a description. */
export const LONGEST_DESCRIPTION = 50_000
/** The most bytes of a description in the line; the rest is for the other fields. */
const MOST_DESCRIPTION_BYTES = 60_000
/** The length of a description that was shortened: it fits, whatever it consists of, as long as it is text. */
const SHORTENED = 20_000

/** Everything of a line but the texts: its keys, the id, the dates. */
const FRAME_BYTES = 600
/** A dependency in the line, with the bead's own id. */
const EDGE_BYTES = 330

/** JSON as Go's encoder writes it, so that the next export by `bd` leaves the line unchanged. */
export const encode = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Whether a description leaves room for the rest of its line. */
export const fitsInLine = (description: string): boolean => utf8Length(encode(description)) <= MOST_DESCRIPTION_BYTES

type Texts = {
  title: string
  description?: string | undefined
  labels?: readonly string[] | undefined
  dependsOn?: readonly string[] | undefined
}

/** Whether the line of a new bead is short enough, whatever its id. */
export function hasRoom({ title, description = '', labels = [], dependsOn = [] }: Texts): boolean {
  const texts = utf8Length(encode([title, description, ...labels, ...dependsOn]))
  return texts + FRAME_BYTES + dependsOn.length * EDGE_BYTES < MAX_LINE_BYTES
}

/** The description in the form that is written to a tracker. Only a text by Beadloom itself can be too long. */
export const descriptionFor = (text: string): string =>
  text.length <= LONGEST_DESCRIPTION && fitsInLine(text) ? text : `${text.slice(0, SHORTENED)}\n[shortened]`
