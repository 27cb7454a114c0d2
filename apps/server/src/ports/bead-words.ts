import { hash } from 'node:crypto'

/** What an agent is asked to do, as fingerprints of each text: a change of any of them is another task. */
export type BeadWords = { title: string; description: string; acceptance: string; design: string }

const names: Record<keyof BeadWords, string> = {
  title: 'title',
  description: 'description',
  acceptance: 'acceptance criteria',
  design: 'design',
}

const LONGEST_TITLE = 500
/** Leaves room in a line of the tracker's file for the rest, also where every character is escaped. */
const LONGEST_DESCRIPTION = 20_000
/** What a bead without a title is called where it is read. */
export const UNTITLED = '(no title)'

/** The texts of a bead that was made here, as they are written to a tracker. */
export const titleFor = (title: string): string => [...title].slice(0, LONGEST_TITLE).join('')
export const descriptionFor = (text: string): string =>
  text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION)}\n[shortened]`

type Texts = { title: string; description: string; raw: string | null }

/** `raw`: the tracker's own text of the bead, which has what Beadloom does not know; null for one that was made here. */
export function wordsOf({ title, description, raw }: Texts): Partial<BeadWords> {
  const words = {
    title: printOf((raw === null ? titleFor(title) : title).trim() || UNTITLED),
    description: printOf(raw === null ? descriptionFor(description) : description),
  }
  const theirs = raw === null ? {} : fieldsOf(raw)
  if (theirs === null) return words
  return { ...words, acceptance: printOf(theirs.acceptance_criteria), design: printOf(theirs.design) }
}

/** For people, which of the texts are others now; one that either side does not know is not compared. */
export const changedWords = (given: Partial<BeadWords>, now: Partial<BeadWords>): string[] =>
  (Object.keys(names) as (keyof BeadWords)[])
    .filter((key) => given[key] !== undefined && now[key] !== undefined && given[key] !== now[key])
    .map((key) => names[key])

/** Line ends and what stands around a text say nothing: programs differ in them. */
const printOf = (text: unknown): string =>
  hash('sha256', typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : '', 'base64url')

/** Null for a line that is no strict JSON, which the reader takes all the same. */
function fieldsOf(raw: string): { acceptance_criteria?: unknown; design?: unknown } | null {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
