import { editsOf } from './call-words.ts'

/** A call of a tool, where the log has it: `line` from 0. */
export type CallAt<Place> = { at: Place; tool: string; given: string }

/**
 * Which call wrote a line. `by`: the last one that is known to have written exactly this text; `sure`: no other is known
 * to have, and none after it may have. `perhaps`: edits of this file of which the log has too little to tell, newest
 * first. Both empty: a command wrote it, or nobody knows.
 */
export type WhyLine<Place> = { by: Place | null; sure: boolean; perhaps: Place[] }

const MOST_PERHAPS = 5

/** `calls` in the order in which they were made. A call is a claim of its agent, so is the answer. */
export function whyLine<Place>(calls: Iterable<CallAt<Place>>, path: string, text: string): WhyLine<Place> {
  const wanted = text.trimEnd()
  const written: Place[] = []
  const perhaps: Place[] = []
  let doubt = false
  for (const { at, tool, given } of calls) {
    for (const { file, diff } of editsOf(tool, given)) {
      if (file !== path) continue
      if (diff === null) {
        perhaps.push(at)
        doubt = true
      } else if (diff.lines.some((line) => line.kind === 'added' && line.text.trimEnd() === wanted)) {
        written.push(at)
        doubt = false
      }
    }
  }
  return {
    by: written.at(-1) ?? null,
    sure: written.length === 1 && !doubt,
    perhaps: perhaps.toReversed().slice(0, MOST_PERHAPS),
  }
}
