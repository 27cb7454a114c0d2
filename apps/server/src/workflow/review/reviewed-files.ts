import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ReviewIssue } from '@beadloom/core/review/review.ts'
import { isOutside } from '@beadloom/core/review/review-diff.ts'
import type { ReviewedFile } from '@beadloom/core/review/review-prompt.ts'
import { TRACKER_FILE } from '@beadloom/core/records/tracker-file.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { DiffFile, Patch } from '../../ports/hub/diffs.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'
import { diffFiles } from '../../verify/diff-files.ts'

/** The limit of a patch that lines are compared with. */
const WHOLE_PATCH_BYTES = 1024 ** 2

type Pinned = Pick<ReviewRow, 'project' | 'bead' | 'from' | 'to'>

/** The diff's files, with as many of their patches as a prompt has room for. */
export const reviewedFiles = (live: LiveExecution, { project, bead, from, to }: Pinned): Promise<ReviewedFile[]> =>
  // On the work branch people and Beadloom write the beads; no agent's change of them gets there.
  diffFiles(live.deps.hub, project, from, to, bead === null ? TRACKER_FILE : null)

/** Marks each issue that is about something outside of the diff. */
export async function withOutside(
  live: LiveExecution,
  { project, from, to }: Pinned,
  issues: readonly ReviewIssue[],
): Promise<(ReviewIssue & { outside_diff: boolean })[]> {
  if (issues.length === 0) return []
  const { hub } = live.deps
  const inDiff = new Set((await hub.diff(project, from, to)).map(({ path }: DiffFile) => path))
  const patches = new Map<string, Patch | null>()
  for (const { file_path: path } of issues)
    if (!patches.has(path))
      patches.set(path, inDiff.has(path) ? await hub.patch(project, from, to, path, WHOLE_PATCH_BYTES) : null)
  return issues.map((issue) => {
    const patch = patches.get(issue.file_path) ?? null
    return { ...issue, outside_diff: isOutside(issue, patch?.text ?? null, patch?.cut) }
  })
}

const TELLING: ReadonlySet<string> = new Set([
  'tampered',
  'tests_changed',
  'flaky',
  'unverified',
  'checks_made',
  'secrets',
  'runs_elsewhere',
])
const MOST_EXECUTIONS = 200
/** Each takes a look into the history. */
const MOST_FLAGGED = 20

/** The server's own observations about this work, in sentences; never the agent's claims. */
export async function factsOf(live: LiveExecution, review: ReviewRow): Promise<string[]> {
  const { store } = live.deps
  const { project, bead } = review
  const executions = store.executions({ project, limit: MOST_EXECUTIONS, ...(bead === null ? {} : { bead }) })
  const flagged = executions.filter(
    ({ kind, flags, redGreen }) =>
      kind === 'work' && (flags.some((flag) => TELLING.has(flag.kind)) || (redGreen && redGreen.is !== 'running')),
  )
  const facts: string[] = []
  for (const execution of flagged.slice(0, MOST_FLAGGED)) {
    if (bead === null && !(await isWithin(live, review, execution))) continue
    for (const { kind, text } of execution.flags)
      if (TELLING.has(kind)) facts.push(`${kind}, in the work on bead ${execution.bead}: ${text}`)
    if (execution.redGreen) facts.push(`tests, in the work on bead ${execution.bead}: ${execution.redGreen.text}`)
  }
  return facts
}

async function isWithin({ deps: { hub } }: LiveExecution, review: ReviewRow, { commit }: Execution): Promise<boolean> {
  const { project, from, to } = review
  if (commit === null) return false
  try {
    return (await hub.contains(project, to, commit)) && !(await hub.contains(project, from, commit))
  } catch {
    return false // a commit that the hub no longer has is in no diff
  }
}
