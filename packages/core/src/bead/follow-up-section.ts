import { dateTime } from '../text/clock-time.ts'
import { durationText } from '../text/duration.ts'
import type { Execution } from '../records/execution.ts'
import { lasted } from '../execution/lasted.ts'
import { codeSpan, fenced } from '../text/fenced.ts'
import type { FollowUpFacts, FollowUpKind } from './follow-up-facts.ts'
import { failedAttempts, failuresOf } from '../execution/next-step.ts'
import { namedDigest, type Verification } from '../records/verification.ts'

const TAIL_LINES = 20
const LINE = 200
/** A digest has at most 2000 characters, plus a line that says it was cut. */
const MAX_DIGEST = 2100
const MAX_DETAIL = 500
const MAX_FILES = 2000
const EARLIER = 3
/** Named steps. Several fail at once if builds and linters are steps, too. */
const STEPS = 2
/** Named kept containers; only a phase has more than one. */
const CONTAINERS = 2
const REFS = 3
const SUBTASKS = 3

/** One failure, with everything that a person or a fresh agent needs to know. Always at most about 4000 characters. */
export function followUpSection(kind: FollowUpKind, facts: FollowUpFacts): string {
  const { execution } = facts
  const heading = `### ${dateTime(execution.endedAt ?? execution.queuedAt)}: execution ${codeSpan(execution.id, 40)}`
  return [heading, factsList(kind, facts), ...explained(kind, facts)].filter((part) => part !== '').join('\n\n')
}

function factsList(kind: FollowUpKind, facts: FollowUpFacts): string {
  const { execution, branchThere, savedRef, fetchSaved, otherRefs = [], kept, fetch, failedSubtasks = [] } = facts
  const failing = kind === 'tests_failing' ? newestFailures(facts).slice(0, STEPS) : []
  const items = [
    `Ended ${execution.state}${execution.reason === null ? '' : ` (${execution.reason})`} ${progressText(execution)}`,
    ...failing.map(stepText),
    ...failedSubtasks
      .slice(0, SUBTASKS)
      .map(({ words, why }) => `Not done: ${codeSpan(words, 120)}: ${codeSpan(why, 160)}`),
    failedSubtasks.length > SUBTASKS ? `and ${failedSubtasks.length - SUBTASKS} more subtasks` : '',
    logText(facts, failing[0]),
    branchThere
      ? `Branch: ${codeSpan(execution.branch, 120)}, into a clone on the server's machine: ${codeSpan(fetch, 300)}`
      : '',
    savedRef === null
      ? ''
      : `Uncommitted work is saved: ${codeSpan(`git fetch origin ${savedRef}`, 200)} in a sandbox, or ${codeSpan(fetchSaved, 300)} in a clone on the server's machine; then look at ${codeSpan('FETCH_HEAD', 20)}`,
    otherRefs.length === 0
      ? ''
      : `More saved work, to be fetched in the same way: ${otherRefs
          .slice(0, REFS)
          .map((ref) => codeSpan(ref, 120))
          .join(', ')}${
          otherRefs.length <= REFS
            ? ''
            : ` and ${otherRefs.length - REFS} more (${codeSpan('git ls-remote', 20)} has them)`
        }`,
    ...kept
      .slice(0, CONTAINERS)
      .map(
        (name) =>
          `Unsaved work is in the container ${codeSpan(name, 100)}, which is kept. To save it: ${codeSpan(`beadloom containers save ${name}`, 150)}`,
      ),
    kept.length <= CONTAINERS
      ? ''
      : `and ${kept.length - CONTAINERS} more containers ("beadloom containers" lists them)`,
  ]
  return items
    .filter((item) => item !== '')
    .map((item) => `- ${item}`)
    .join('\n')
}

/** "in attempt 2 of 3, retry 1 of 3, after 12 min 3 s". Attempts are within a retry. */
function progressText(execution: Execution): string {
  const { attempt, maxAttempts, retryAttempt, retryCount } = execution
  const took = lasted(execution)
  const parts = [
    attempt > 0 ? `in attempt ${attempt} of ${Math.max(attempt, maxAttempts)}` : 'before its first attempt',
    ...(retryAttempt > 0 ? [`retry ${retryAttempt} of ${Math.max(retryAttempt, retryCount)}`] : []),
    ...(took === null ? [] : [`after ${durationText(took)}`]),
  ]
  return parts.join(', ')
}

function stepText({ name, command, commit, exitCode, summary }: Verification): string {
  const what = [
    codeSpan(name, 60),
    command === '' ? '' : codeSpan(command, 200),
    exitCode === null ? '' : `exit ${exitCode}`,
    summary === '' ? '' : codeSpan(summary, 120),
    `on commit ${codeSpan(commit, 40)}`,
  ]
  return `Failing step: ${what.filter((part) => part !== '').join(', ')}`
}

function logText({ execution, bead, lastSession }: FollowUpFacts, failing: Verification | undefined): string {
  const session = failing?.session ?? lastSession
  const command = codeSpan(`beadloom logs ${execution.id}`, 60)
  if (session === null) return `Log: ${command}`
  const page = `/p/${bead.project}/b/${bead.id}?session=${session}`
  return `Log: session ${codeSpan(session, 40)}, in the dashboard at ${codeSpan(page, 250)}, or ${command}`
}

function explained(kind: FollowUpKind, facts: FollowUpFacts): string[] {
  const { execution } = facts
  switch (kind) {
    case 'tests_failing':
      return digests(facts)
    case 'merge_conflict':
      return conflictText(facts)
    case 'execution_failed':
      return ['What happened:', fenced(execution.detail, MAX_DETAIL + MAX_DIGEST)]
    case 'blocked':
      return ['The agent’s own words:', fenced(execution.blockedReason ?? execution.detail, MAX_DIGEST)]
    case 'timeout':
      return [
        fenced(execution.detail, MAX_DETAIL),
        ...(facts.tail.length === 0 ? ['It printed nothing.'] : ['Its last output:', tailText(facts.tail)]),
      ]
  }
}

/** The newest attempt's digest in full, and a line for each earlier one: room is scarce, and the log has the rest. */
function digests(facts: FollowUpFacts): string[] {
  const { execution, verifications } = facts
  const newest = newestFailures(facts)
  if (newest.length === 0) return [fenced(execution.detail, MAX_DETAIL + MAX_DIGEST)]
  const earlier = failedAttempts(verifications)
    .slice(1, 1 + EARLIER)
    .flatMap((attempt) => failuresOf(verifications, attempt).slice(0, 1))
    .map(({ attempt, name, summary }) => `- attempt ${attempt}: ${codeSpan(name, 60)}, ${codeSpan(summary, 120)}`)
  const [sentence = ''] = execution.detail.split('\n', 1)
  return [
    fenced(sentence, MAX_DETAIL),
    `The digest of attempt ${newest[0]?.attempt}:`,
    fenced(newest.map(namedDigest).join('\n\n'), MAX_DIGEST),
    ...(earlier.length === 0 ? [] : ['Earlier attempts:', earlier.join('\n')]),
  ]
}

/** The failures of the newest attempt that failed. A failure that was gone on the re-check does not count. */
export function newestFailures({ verifications }: FollowUpFacts): Verification[] {
  const [newest] = failedAttempts(verifications)
  return newest === undefined ? [] : failuresOf(verifications, newest)
}

function conflictText({ execution, conflict }: FollowUpFacts): string[] {
  if (conflict === null) return [fenced(execution.detail, MAX_DETAIL + MAX_FILES)]
  const { files, ours, theirs } = conflict
  return [
    `- Work branch: ${codeSpan(ours, 64)}\n- This work: ${codeSpan(theirs, 64)}`,
    fenced(execution.detail, MAX_DETAIL),
    'Files in conflict:',
    fenced(files.length === 0 ? '(unknown)' : files.join('\n'), MAX_FILES),
  ]
}

function tailText(tail: readonly string[]): string {
  const lines = tail.slice(-TAIL_LINES).map((line) => (line.length <= LINE ? line : `${line.slice(0, LINE)}…`))
  return fenced(lines.join('\n'), MAX_DIGEST, 'end')
}
