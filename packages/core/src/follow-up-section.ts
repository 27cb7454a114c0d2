import { elapsedText } from './duration.ts'
import type { Execution } from './execution.ts'
import { codeSpan, fenced } from './fenced.ts'
import type { FollowUpFacts, FollowUpKind } from './follow-up.ts'
import type { Verification } from './verification.ts'

const TAIL_LINES = 20
const LINE = 200
/** A digest has at most 2000 characters and a line that says so. */
const MAX_DIGEST = 2100
const MAX_DETAIL = 500
const MAX_FILES = 2000
const EARLIER = 3

/** One failure, with what a person or a fresh agent needs of it. At most about 4000 characters, whatever it is made of. */
export function followUpSection(kind: FollowUpKind, facts: FollowUpFacts): string {
  const { execution } = facts
  const at = new Date(execution.endedAt ?? execution.queuedAt).toISOString().replace(/\.\d{3}Z$/, 'Z')
  const heading = `### ${at}: execution ${codeSpan(execution.id, 40)}`
  return [heading, factsList(kind, facts), ...explained(kind, facts)].filter((part) => part !== '').join('\n\n')
}

function factsList(kind: FollowUpKind, facts: FollowUpFacts): string {
  const { execution, branchThere, savedRef } = facts
  const failing = kind === 'tests_failing' ? newestFailed(facts.verifications) : undefined
  const items = [
    `Ended ${execution.state}${execution.reason === null ? '' : ` (${execution.reason})`} ${progressText(execution)}`,
    failing ? stepText(failing) : '',
    logText(facts, failing),
    branchThere ? `Branch: ${codeSpan(execution.branch, 120)}` : '',
    savedRef === null
      ? ''
      : `What was not committed is saved: ${codeSpan(`git fetch origin ${savedRef}`, 200)}, then look at ${codeSpan('FETCH_HEAD', 20)}`,
  ]
  return items
    .filter((item) => item !== '')
    .map((item) => `- ${item}`)
    .join('\n')
}

/** "in attempt 2 of 3, run 2 of 4, after 12 min 3 s". A run is what the run policy makes again; it has attempts. */
function progressText(execution: Execution): string {
  const { attempt, maxAttempts, retryAttempt, retryCount, startedAt, endedAt } = execution
  const parts = [
    attempt > 0 ? `in attempt ${attempt} of ${Math.max(attempt, maxAttempts)}` : 'before its first attempt',
    ...(retryAttempt > 0 ? [`run ${retryAttempt + 1} of ${Math.max(retryAttempt, retryCount) + 1}`] : []),
    ...(startedAt !== null && endedAt !== null ? [`after ${elapsedText(endedAt - startedAt)}`] : []),
  ]
  return parts.join(', ')
}

function stepText({ name, command, commit, exitCode, summary }: Verification): string {
  const how = exitCode === null ? '' : `, exit ${exitCode}`
  const what = summary === '' ? '' : ` (${codeSpan(summary, 120)})`
  return `Failing step: ${codeSpan(name, 60)}, ${codeSpan(command, 300)}${how}${what}, on commit ${codeSpan(commit, 40)}`
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

/** The newest digest in full, one line for each failure before it: they are in the log, and room is scarce. */
function digests({ execution, verifications }: FollowUpFacts): string[] {
  const [newest, ...earlier] = verifications.filter(({ passed }) => !passed).toReversed()
  if (!newest) return [fenced(execution.detail, MAX_DETAIL + MAX_DIGEST)]
  const lines = earlier
    .slice(0, EARLIER)
    .map(({ attempt, name, summary }) => `- attempt ${attempt}, ${codeSpan(name, 60)}: ${codeSpan(summary, 120)}`)
  const [sentence = ''] = execution.detail.split('\n', 1)
  return [
    fenced(sentence, MAX_DETAIL),
    `The digest of attempt ${newest.attempt}:`,
    fenced(newest.digest === '' ? newest.summary : newest.digest, MAX_DIGEST),
    ...(lines.length === 0 ? [] : ['Before that:', lines.join('\n')]),
  ]
}

function conflictText({ execution, conflict }: FollowUpFacts): string[] {
  if (conflict === null) return [fenced(execution.detail, MAX_DETAIL + MAX_FILES)]
  const { files, ours, theirs } = conflict
  return [
    `- Work branch: ${codeSpan(ours, 64)}\n- This work: ${codeSpan(theirs, 64)}`,
    fenced(execution.detail, MAX_DETAIL),
    'Files in conflict:',
    fenced(files.length === 0 ? '(not known)' : files.join('\n'), MAX_FILES),
  ]
}

const newestFailed = (verifications: readonly Verification[]): Verification | undefined =>
  verifications.findLast(({ passed }) => !passed)

function tailText(tail: readonly string[]): string {
  const lines = tail.slice(-TAIL_LINES).map((line) => (line.length <= LINE ? line : `${line.slice(0, LINE)}…`))
  return fenced(lines.join('\n'), MAX_DIGEST, 'end')
}
