import { counted } from '../text/count-text.ts'
import { codeSpan, fenced } from '../text/fenced.ts'
import { inert, inertCode as name } from '../text/inert-markdown.ts'
import { oneLine } from '../text/one-line.ts'
import { evidenceMarkdown } from './evidence.ts'
import type { EvidenceFacts } from './evidence.ts'
import type { ReviewIssue } from '../review/review.ts'
import { TRACKER_FILE } from '../records/tracker-file.ts'
import type { Verification } from '../records/verification.ts'

/* The text of a pull request. People and the forge's own robots read it; agents and trackers supply its contents. */

export const MOST_TITLE = 200
const MOST_BEADS = 30
/** There is room for the evidence of this many beads. */
const MOST_EVIDENCE = 6
const MOST_STEPS = 10
const MOST_ISSUES = 20
const MOST_ELSEWHERE = 30
const MOST_NAME = 120
const MOST_SUMMARY = 4000

export type PullRequestFactsForText = {
  /** A person's own title; null: made from the beads. */
  title: string | null
  branch: string
  commit: string
  /** The verified and reviewed commit; `commit` differs from it at most in the tracker's file. */
  reviewed: string
  /** The beads with work in it, oldest first. */
  beads: readonly { id: string; title: string; execution: string; evidence?: EvidenceFacts }[]
  /** Files of the work that run elsewhere, such as CI's, in sentences. */
  elsewhere?: readonly string[]
  /** The steps that passed, on the reviewed commit or on one that differs from it only in the tracker's file. */
  checks: readonly Pick<Verification, 'name' | 'command' | 'summary' | 'commit' | 'opinion'>[]
  review: { id: string; summary: string; issues: readonly (ReviewIssue & { bead: string | null })[] }
}

/** @returns a title of at most 200 characters and a body of at most 60,000 */
export function pullRequestText(facts: PullRequestFactsForText): { title: string; body: string } {
  return { title: pullRequestTitle(facts), body: `${body(facts).join('\n\n')}\n` }
}

export function pullRequestTitle({
  title,
  branch,
  beads,
}: Pick<PullRequestFactsForText, 'title' | 'branch' | 'beads'>): string {
  if (title !== null) return oneLine(title).slice(0, MOST_TITLE).toWellFormed()
  const [first] = beads
  if (!first) return inert(`Changes on ${bare(branch, MOST_NAME)}`)
  const more = beads.length - 1
  return `${first.id.slice(0, 40)}: ${inert(bare(first.title, 60))}${more === 0 ? '' : `, and ${counted(more, 'more bead')}`}`
}

function body({ commit, reviewed, branch, beads, checks, review, elsewhere = [] }: PullRequestFactsForText): string[] {
  const same = reviewed === commit ? '' : `; ${name(commit)} adds beads to ${name(TRACKER_FILE)} and nothing else`
  return [
    `Coding agents did this work on ${name(branch)}. Beadloom verified and reviewed it at ${name(reviewed)}${same}. No person has looked at it yet: please read it before you merge it.`,
    '## Beads',
    list(
      beads.map(
        ({ id, title, execution, evidence }, index) =>
          `${name(id)} ${name(title)} (execution ${name(execution)})${evidence && index < MOST_EVIDENCE ? `\n${evidenceMarkdown(evidence, '  ')}` : ''}`,
      ),
      MOST_BEADS,
      'None that Beadloom knows of: the commits are by people.',
    ),
    ...(elsewhere.length === 0
      ? []
      : [
          '## Runs elsewhere',
          'These files run in CI, on installation or on other machines, with rights that the checks did not have. Read them first:',
          list(elsewhere.map(name), MOST_ELSEWHERE, ''),
        ]),
    '## Verification',
    ranOn(reviewed, checks[0]?.commit ?? reviewed),
    list(
      checks.map(({ name: step, command, summary, opinion }) =>
        opinion
          ? `${name(step)}, the opinion of a model: ${name(summary)}`
          : `${name(step)} (${name(command)}): passed. ${name(summary)}`,
      ),
      MOST_STEPS,
      'The steps are no longer on record.',
    ),
    '## Review',
    `The review ${name(review.id)} calls it ready:`,
    inert(fenced(review.summary, MOST_SUMMARY)),
    ...(review.issues.length === 0
      ? ['It found no issues.']
      : [
          'It found these issues, none of which is in the way of a merge:',
          list(review.issues.map(issueLine), MOST_ISSUES, ''),
        ]),
  ]
}

const ranOn = (reviewed: string, commit: string): string =>
  commit === reviewed
    ? 'Run on exactly this commit, in a fresh container:'
    : `Run on ${name(commit)}, which differs from it in nothing but ${name(TRACKER_FILE)}, in a fresh container:`

function issueLine({
  severity,
  title,
  file_path,
  line_numbers,
  bead,
}: PullRequestFactsForText['review']['issues'][number]) {
  const lines = line_numbers.slice(0, 5).join(', ')
  return `${severity}: ${name(title)} in ${name(file_path)}${lines === '' ? '' : `, line ${lines}`}${bead === null ? '' : ` (bead ${name(bead)})`}`
}

function list(rows: string[], most: number, none: string): string {
  if (rows.length === 0) return none
  const more = rows.length - most
  return [...rows.slice(0, most), ...(more > 0 ? [`… and ${more} more`] : [])].map((row) => `- ${row}`).join('\n')
}

/** One line without a frame. */
const bare = (text: string, limit: number): string => codeSpan(text, limit).replace(/^`|`$/g, '')
