import { oneLine } from '../text/one-line.ts'
import type { ParsedAnswer } from '../review/review.ts'
import type { Subtask } from '../records/plan.ts'

/** The commit of a phase. Its trailer names the bead, as every commit on a bead's branch does. */
export const phaseMessage = (number: number, subtasks: readonly Pick<Subtask, 'title'>[], bead: string): string =>
  `Phase ${number}: ${subtasks.map(({ title }) => oneLine(title)).join(', ')}\n\nBead: ${bead}`

export type ChangedFile = { path: string; added: number | null; removed: number | null }

const MOST_FILES = 20

/** The summary of a finished phase for later ones: its work, and how to see all of it. */
export function phaseSummary(
  number: number,
  subtasks: readonly Pick<Subtask, 'title' | 'type'>[],
  files: readonly ChangedFile[],
  [from, to]: readonly [string, string],
): string {
  const paths = files.map(({ path }) => oneLine(path))
  const tests = paths.filter((path) => path.toLowerCase().includes('test'))
  return `## Phase ${number} Summary

**Completed subtasks:**
${subtasks.map(({ type, title }) => `- [${type}] ${oneLine(title)}`).join('\n')}

**Files changed:** ${listed(paths)}

**Restoration references:**
- Full diff: \`git diff ${short(from)}..${short(to)}\`
- Commit: \`git show ${short(to)}\`
- Test files created: ${tests.length > 0 ? listed(tests) : 'None'}

**Key changes:**
${files
  .slice(0, MOST_FILES)
  .map(({ path, added, removed }) => `- ${oneLine(path)} (${added === null ? 'binary' : `+${added} -${removed ?? 0}`})`)
  .join('\n')}`
}

/**
 * Enough digits to name a commit in any repository, and a third of the tokens: a hexadecimal digit takes nearly one.
 */
const short = (commit: string): string => commit.slice(0, 12)

const listed = (paths: readonly string[]): string =>
  paths.length <= MOST_FILES
    ? paths.join(', ')
    : `${paths.slice(0, MOST_FILES).join(', ')} and ${paths.length - MOST_FILES} more`

/** A reviewer's objections to a phase, in full, and the actions to take. */
export function feedbackOf(parsed: ParsedAnswer): { feedback: string; actions: string[] } {
  if ('wrong' in parsed)
    return { feedback: `The reviewer gave no usable answer, even when asked again: ${parsed.wrong}`, actions: [] }
  const { summary, issues } = parsed.answer
  const feedback = [
    summary,
    ...issues.map(
      ({ severity, title, file_path, line_numbers, description }) =>
        `#### ${severity}: ${title}\n${file_path}${line_numbers.length > 0 ? `:${line_numbers.join(',')}` : ''}\n\n${description}`,
    ),
  ].join('\n\n')
  return { feedback, actions: issues.map(({ title, file_path }) => `${title} (${file_path})`) }
}
