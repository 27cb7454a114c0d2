import type { BeadDependency } from '../records/bead.ts'
import type { Execution } from '../records/execution.ts'
import type { FailureReason } from '../records/failure/failure-reason.ts'
import { isUnstarted } from '../records/failure/failure.ts'
import type { FollowUpFacts, FollowUpKind } from './follow-up-facts.ts'
import { failingTitle, onlyPassEarly } from '../execution/failure/failing-checks.ts'
import { followUpSection, newestFailures } from './follow-up-section.ts'
import type { BeadId, ExecutionId } from '../records/ids.ts'
import { parseBeadId } from '../records/ids.ts'
import { codeSpan, cutBlocks, fenced } from '../text/fenced.ts'
import { oneLine } from '../text/one-line.ts'

export type { FollowUpFacts, FollowUpKind, MergeConflict } from './follow-up-facts.ts'

/** Autopilot leaves a bead with this label to a person, no matter who added it. */
export const NEEDS_HUMAN = 'needs-human'
/** On every bead that Beadloom has filed by itself. */
const OURS = 'beadloom'

/**
 * A bead that Beadloom files because of how an execution ended. `head` stays at the top of its description; `section`
 * describes this one failure, and later ones are added.
 */
export type FollowUp = {
  kind: FollowUpKind
  title: string
  head: string
  section: string
  priority: number
  type: string
  labels: string[]
  dependencies: BeadDependency[]
  baseBranch: string | null
  /** It only repeats its bead's question: the only thing to do is to run that bead. */
  reminder: boolean
}

/** The longest description, in characters. */
export const MAX_FOLLOW_UP = 8000
/** Below this heading are the failures, which repeat output of agents; above it are people's words. */
const FAILURES = '## What went wrong'
/** Headings of a follow-up's description, by which people's words in it are found again. */
export const CONTINUES = 'This continues bead '
export const TASK = '## The task'
export const NEXT = '## What to do now'
/** Failures in one description, newest first. */
const MAX_SECTIONS = 10
const MAX_TITLE = 200
const MAX_TASK = 1800

const kindOfFailure: Record<FailureReason, FollowUpKind> = {
  tests_failed: 'tests_failing',
  verification_exhausted: 'tests_failing',
  no_progress: 'tests_failing',
  push_conflict: 'merge_conflict',
  subtask_failed: 'execution_failed',
  phase_review_failed: 'execution_failed',
  plan_invalid: 'execution_failed',
  infra_error: 'execution_failed',
  retries_exhausted: 'execution_failed',
  agent_failed: 'execution_failed',
  turn_limit: 'execution_failed',
  orchestrator_restart: 'execution_failed',
  budget_exhausted: 'execution_failed',
  nothing_committed: 'execution_failed',
  phase_unchanged: 'execution_failed',
  no_checks: 'execution_failed',
  tests_weakened: 'tests_failing',
  not_checked: 'execution_failed',
  secrets_found: 'execution_failed',
  runs_elsewhere: 'execution_failed',
}

const texts: Record<FollowUpKind, { title: string; type: string; human: boolean; next: string }> = {
  tests_failing: {
    title: 'Tests failing',
    type: 'bug',
    human: false,
    next: 'The work does not pass its checks. Find the cause in the newest failure below and fix it; keep what already works.',
  },
  merge_conflict: {
    title: 'Merge conflict',
    type: 'task',
    human: true,
    next: 'The work conflicts with other work, and a person has to decide how the two fit together. Merge them by hand; or run this bead with the decision as a note, and its agent merges them.',
  },
  execution_failed: {
    title: 'Execution failed',
    type: 'task',
    human: false,
    next: 'The execution could not be finished. If the cause is in the project, fix it; then finish the task.',
  },
  blocked: {
    title: 'Blocked',
    type: 'task',
    human: true,
    next: 'The agent could not continue and says why below. Remove the obstacle, then run the original bead again with the answer as a note. This bead is a reminder: it closes when that one starts.',
  },
  timeout: {
    title: 'Timed out',
    type: 'task',
    human: true,
    next: 'It ran into a time limit. The last output shows whether it was working or stuck. Raise the limit in beadloom.json or make the task smaller; then run this bead, which continues where that work stopped.',
  },
}

const PASSES_EARLY =
  'The new tests of a phase pass, although nothing implements what they are about: they prove nothing. Write tests that fail without it, then finish the task. If it is there already, take these tests out of the plan and run the original bead again.'
const UNPUBLISHED =
  "The work is verified, but the project's remote did not take its branches, for the reason given below. Change that at the remote (a protected branch, a hook, its access), then run the original bead again, which publishes it."
const UNSTARTED =
  'The execution had nothing to run in, for the reason given below. Fix that, then run the original bead again: it is open. This bead is a reminder: it closes when that one starts.'

/** Texts of reasons that say more than those of their kind. */
const ownTexts: Partial<Record<FailureReason, { title: string; next: string }>> = {
  nothing_committed: {
    title: 'Nothing committed',
    next: 'The agent ended without committing anything. Its log says what it did instead. If there was nothing to do, close both beads; otherwise say more precisely what is wanted, and finish the task.',
  },
  phase_unchanged: {
    title: 'A phase needed no change',
    next: 'The agents of a phase ended well and changed nothing, even when asked again. If there is nothing to do in the phase, take it out of the plan; otherwise say in its subtasks what is missing. Then run the original bead again, which continues after the phases that are done.',
  },
  no_checks: {
    title: 'No test suite',
    next: 'Nothing can say whether the work is good: the project has no tests, and no attempt made any. Create a test suite for it, with a command that runs it.',
  },
  not_checked: {
    title: 'Not checked',
    next: 'The tests of what the work changes could not run on the base, so nothing says whether it is good. Make them run; or read the diff and take the work as it is on the page of the original bead.',
  },
  secrets_found: {
    title: 'Secret found',
    next: 'The work adds what looks like a key or a password, and was not published. Take it out of the files: code reads it from its environment, or from a file that git ignores. Earlier commits need no change, because one commit is made of them. If it is not a secret, close this bead and allow it on the page of the original one.',
  },
  runs_elsewhere: {
    title: 'Changes files that run elsewhere',
    next: 'The work changes files that CI runs with its secrets, and nobody asked for that, so nothing was published. Take these changes out. If they are right, close this bead and allow them on the page of the original one.',
  },
  tests_weakened: {
    title: 'Tests weakened',
    next: 'The tests pass, but only because some of them are gone, skipped or weaker than before. Restore them as they are on the work branch, and make the code pass. If they are meant to change, close this bead and allow it on the page of the original one.',
  },
}

const textsOf = (kind: FollowUpKind, { reason }: Pick<Execution, 'reason'>) => ({
  ...texts[kind],
  ...ownTexts[reason as FailureReason],
})

/** The follow-up of an execution's end; null if it needs none. */
export function followUpOf(facts: FollowUpFacts): FollowUp | null {
  const { execution, bead, branchThere } = facts
  const kind = followUpKindOf(execution)
  if (kind === null) return null
  const { type, human } = texts[kind]
  const name = oneLine(`${titleOf(kind, facts)}: ${oneLine(bead.title)}`)
  return {
    kind,
    title: name.length <= MAX_TITLE ? name : `${name.slice(0, MAX_TITLE - 1).toWellFormed()}…`,
    head: headOf(kind, facts),
    section: followUpSection(kind, facts),
    priority: bead.priority,
    type,
    labels: human ? [OURS, NEEDS_HUMAN] : [OURS],
    dependencies: [{ dependsOn: bead.id, type: 'discovered-from' }],
    baseBranch: branchThere ? execution.branch : null,
    reminder: kind === 'blocked' || (execution.state === 'FAILED' && isUnstarted(execution)),
  }
}

/** The title: what happened, as exactly as possible. */
function titleOf(kind: FollowUpKind, facts: FollowUpFacts): string {
  if (kind === 'tests_failing') return failingTitle(newestFailures(facts))
  return isUnpublished(facts) ? 'Not published' : textsOf(kind, facts.execution).title
}

/** Whether the remote refused the work: no conflict with other work has to be decided. */
const isUnpublished = ({ execution: { state, reason, failureKind }, conflict }: FollowUpFacts): boolean =>
  state === 'FAILED' &&
  (failureKind === 'publish_failed' ||
    (reason === 'push_conflict' && failureKind !== 'push_conflict' && conflict === null))

export function followUpKindOf({ state, reason }: Pick<Execution, 'state' | 'reason'>): FollowUpKind | null {
  switch (state) {
    case 'FAILED':
      return kindOfFailure[reason as FailureReason] ?? 'execution_failed'
    case 'BLOCKED':
      return 'blocked'
    case 'TIMEOUT':
      return 'timeout'
    case 'QUEUED':
    case 'RUNNING':
    case 'COMPLETED':
    case 'CANCELLED':
      return null
  }
}

function ownNext(kind: FollowUpKind, facts: FollowUpFacts): string | null {
  if (isUnpublished(facts)) return UNPUBLISHED
  return kind === 'tests_failing' && onlyPassEarly(newestFailures(facts)) ? PASSES_EARLY : null
}

/** The original task comes first: the rest describes the failure, not the task. */
function headOf(kind: FollowUpKind, facts: FollowUpFacts): string {
  const { bead, execution, branchThere } = facts
  const next = ownNext(kind, facts) ?? textsOf(kind, execution).next
  const unstarted = execution.state === 'FAILED' && isUnstarted(execution)
  const start = branchThere
    ? ` The work so far is on the branch ${codeSpan(execution.branch, 120)}, and an execution of this bead starts there.`
    : ' There is no work yet, so an execution of this bead starts from scratch.'
  const task = bead.description.trim() === '' ? 'It has no description.' : fenced(bead.description, MAX_TASK)
  return `${CONTINUES}${codeSpan(bead.id, 128)}: ${codeSpan(bead.title, MAX_TITLE)}.

${TASK}

${task}

${NEXT}

${unstarted ? UNSTARTED : `${next}${start}`}

${FAILURES}`
}

/**
 * A follow-up's description: its head, then as many of the failures as fit, newest first and at most ten.
 *
 * @param sections newest first
 * @returns at most `MAX_FOLLOW_UP` characters, with the newest section in any case: cut where it leaves no room
 */
export function followUpBody(head: string, sections: readonly string[]): string {
  const note = (left: number) =>
    left === 0 ? '' : `\n\n(${left} earlier ${left === 1 ? 'failure is' : 'failures are'} not shown.)`
  const room = MAX_FOLLOW_UP - note(sections.length).length
  let body = head
  let shown = 0
  const [newest, ...earlier] = sections.slice(0, MAX_SECTIONS)
  const first = newest === undefined ? [] : [cutBlocks(newest, MAX_FOLLOW_UP - head.length - 2)]
  for (const section of [...first, ...earlier]) {
    // The newest failure is there in any case: where it leaves no room for the note, the note is left out.
    if (body.length + section.length + 2 > (shown === 0 ? MAX_FOLLOW_UP : room)) break
    body += `\n\n${section}`
    shown += 1
  }
  const left = note(sections.length - shown)
  return body.length + left.length > MAX_FOLLOW_UP ? body : body + left
}

/**
 * Ids for a follow-up, best first: the original's prefix and part of the execution's id, so that the same end gives the
 * same id. Each has a letter and a digit, as `bd` likes them.
 */
export function* followUpIds(original: BeadId, execution: ExecutionId): Iterable<BeadId> {
  const stem = original.split('-wisp')[0] ?? original // the board hides ids that contain "-wisp"
  const prefix = stem.includes('-') ? stem.slice(0, stem.lastIndexOf('-')) : stem.split('.')[0]
  const short = prefix === undefined || prefix.length > 100 ? 'bl' : prefix
  const token = execution.slice('ex-'.length)
  yield parseBeadId(`${short}-${token.slice(0, 6)}f4`)
  yield parseBeadId(`${short}-${token}f4`)
  for (let more = 5; ; more++) yield parseBeadId(`${short}-${token}f${more}`)
}
