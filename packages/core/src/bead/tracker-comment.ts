import { bringsWork, type Execution, type ExecutionKind } from '../records/execution.ts'
import { leftIn } from '../execution/left-text.ts'
import { shortEnd } from '../execution/short-end.ts'
import { fenced } from '../text/fenced.ts'
import { oneLine } from '../text/one-line.ts'
import { fetchCommand } from '../records/branch.ts'
import type { Verification } from '../records/verification.ts'

/** The longest comment, in characters: all comments of a bead share one line of the tracker's file. */
const MAX_COMMENT = 2000
const MAX_SENTENCE = 400
const MAX_DIGEST = 1200

export type CommentFacts = {
  execution: Execution
  /** Oldest first. */
  verifications: readonly Verification[]
  /** The bead's page on the dashboard, or null if its address is unknown. */
  link: string | null
  /** The folder of the server's bare clone. */
  hub: string
}

const nounOf: Record<ExecutionKind, string> = { work: 'execution', review: 'review', plan: 'planning' }

/**
 * The comment for the tracker at the end of an execution. It contains the execution's id, by which it is found again.
 */
export function trackerComment({ execution, verifications, link, hub }: CommentFacts): string {
  const { id, kind, state, reason, branch, commit, blockedReason, planVersion } = execution
  const end = reason === null ? state : `${state} (${reason})`
  const failed = verifications.findLast(({ passed }) => !passed)
  // A check's output is below the first line of the detail, and belongs at the end of the comment.
  const told = failed ? execution.detail.split('\n', 1)[0]! : execution.detail
  // In a line of its own, so that no long sentence cuts it off.
  const left = leftIn(told)
  const fetch = fetchCommand(hub, branch)
  // With a plan, the text of the end names the subtask that asks.
  const said = planVersion === undefined ? blockedReason : null
  const sentence = shortEnd(oneLine(said ?? told.replace(left, '')), MAX_SENTENCE)
  const notices = execution.flags.flatMap((flag) => (flag.kind === 'outdated' ? [oneLine(flag.text)] : []))
  const digest = state === 'COMPLETED' || !failed ? '' : failed.digest
  const lines = [
    `${end}: ${nounOf[kind]} ${id}${sentence === '' ? '' : `. ${sentence}`}`,
    `Branch ${branch}${commit === null ? '' : ` at ${commit.slice(0, 12)}`}`,
    ...(bringsWork(execution) && !left.includes(fetch) ? [`On the server's machine: ${fetch}`] : []),
    ...(left === '' ? [] : [left]),
    ...notices,
    ...(link === null ? [] : [link]),
    ...(digest === ''
      ? []
      : ['', `${failed?.name ?? 'verify'}: ${oneLine(failed?.summary ?? '')}`, fenced(digest, MAX_DIGEST)]),
  ]
  const text = lines.join('\n')
  return text.length <= MAX_COMMENT ? text : `${text.slice(0, MAX_COMMENT - 12)}\n[shortened]`
}
