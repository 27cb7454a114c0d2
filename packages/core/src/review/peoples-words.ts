import { MENDING_START } from '../environment/base/proof.ts'
import { ISSUE_START } from './review-beads.ts'
import { CONTINUES, NEXT, TASK } from '../bead/follow-up.ts'

/*
 * A bead's words decide which changes its work may make without a question. Beads that Beadloom files describe
 * failures, with words like CI and tests, and repeat the words of agents and checks: they are no person's request.
 */

/** A follow-up of a follow-up of … nests the task. */
const MOST_NESTED = 20

const START = new RegExp(
  `^${CONTINUES}(?:\`[^\`]*\`|\\(nothing\\)): (?:\`([^\`]*)\`|\\(nothing\\))\\.\\n\\n${TASK}\\n\\n`,
)

/** Beginnings of descriptions that no person wrote: a reviewer's issue, and the output of checks. */
const nobodys = [ISSUE_START, MENDING_START]

/** People's words in a bead's title and description; for a follow-up, those of the bead that it continues. */
export function peoplesWords(bead: { title: string; description: string }): string {
  let { title, description } = bead
  for (let depth = 0; depth < MOST_NESTED; depth++) {
    if (nobodys.some((start) => description.startsWith(start))) return ''
    if (!description.startsWith(CONTINUES)) return `${title}\n${description}`
    const start = START.exec(description)
    if (start === null) return ''
    title = start[1] ?? ''
    description = taskIn(description.slice(start[0].length))
  }
  return ''
}

/** The first code block of a text that begins with one. */
function taskIn(text: string): string {
  const fence = /^`{3,}/.exec(text)?.[0]
  if (fence === undefined) return ''
  const from = text.indexOf('\n') + 1
  const end = text.indexOf(`\n${fence}\n\n${NEXT}\n`, from - 1)
  return end === -1 ? '' : text.slice(from, Math.max(from, end))
}
