import { descriptionFor } from '@beadloom/core/bead/tracker-line.ts'
import { hash } from 'node:crypto'

/** The texts that an agent is asked to do, each as a fingerprint. If any changes, the task has changed. */
export type BeadWords = { title: string; description: string; acceptance: string; design: string }

const names: Record<keyof BeadWords, string> = {
  title: 'title',
  description: 'description',
  acceptance: 'acceptance criteria',
  design: 'design',
}

const LONGEST_TITLE = 500
/** The title of a bead that has none. */
export const UNTITLED = '(no title)'

/** The title of a bead that was filed here, in the form that is written to a tracker. */
export const titleFor = (title: string): string => [...title].slice(0, LONGEST_TITLE).join('')

type Texts = { title: string; description: string; raw: string | null }

/**
 * `raw`: the tracker's text of the bead, with fields that Beadloom does not know; null for a bead that was filed here.
 */
export function wordsOf({ title, description, raw }: Texts): Partial<BeadWords> {
  const words = {
    title: printOf((raw === null ? titleFor(title) : title).trim() || UNTITLED),
    description: printOf(raw === null ? descriptionFor(description) : description),
  }
  const theirs = raw === null ? {} : fieldsOf(raw)
  if (theirs === null) return words
  return { ...words, acceptance: printOf(theirs.acceptance_criteria), design: printOf(theirs.design) }
}

/** The names of the texts that differ, for people. A text that either side lacks is not compared. */
export const changedWords = (given: Partial<BeadWords>, now: Partial<BeadWords>): string[] =>
  (Object.keys(names) as (keyof BeadWords)[])
    .filter((key) => given[key] !== undefined && now[key] !== undefined && given[key] !== now[key])
    .map((key) => names[key])

/** Ignores line endings and surrounding white space, because programs differ in them. */
const printOf = (text: unknown): string =>
  hash('sha256', typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : '', 'base64url')

/** Null for a line that is not strict JSON, which the reader accepts anyway. */
function fieldsOf(raw: string): { acceptance_criteria?: unknown; design?: unknown } | null {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
