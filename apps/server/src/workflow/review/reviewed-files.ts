import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { ReviewIssue } from '@beadloom/core/review/review.ts'
import { isOutside } from '@beadloom/core/review/review-diff.ts'
import { DIFF_BUDGET, FILE_BUDGET, type ReviewedFile } from '@beadloom/core/review/review-prompt.ts'
import { TRACKER_FILE } from '@beadloom/core/bead/tracker-file.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'
import type { DiffFile } from '../../ports/hub.ts'
import type { ReviewRow } from '../../ports/store/reviews.ts'

/** Each patch is two git processes; what is left is seen in the workspace. */
const MOST_PATCHES = 60
/** A patch that lines are compared with. */
const WHOLE_PATCH_BYTES = 1024 ** 2
/** As the hub marks a patch that it has cut. */
const CUT = /… cut at \d+ bytes\n$/

type Pinned = Pick<ReviewRow, 'project' | 'bead' | 'from' | 'to'>

/** The diff's files, with as many of their patches as a prompt has room for. */
export async function reviewedFiles(live: LiveExecution, { project, bead, from, to }: Pinned): Promise<ReviewedFile[]> {
  const { hub } = live.deps
  const files: ReviewedFile[] = []
  let room = DIFF_BUDGET
  let patches = 0
  for (const file of await hub.diff(project, from, to)) {
    // On the work branch the beads are written by people and by Beadloom; no agent's change of them gets there.
    if (bead === null && file.path === TRACKER_FILE) continue
    const shown = file.added !== null && room > 0 && patches < MOST_PATCHES
    const patch = shown ? await hub.patch(project, from, to, file.path, Math.min(room, FILE_BUDGET)) : null
    if (patch !== null) {
      patches += 1
      room -= patch.length
    }
    files.push({ ...file, patch, cut: patch !== null && CUT.test(patch) })
  }
  return files
}

/** Says of each issue whether it is about something that the diff does not show. */
export async function withOutside(
  live: LiveExecution,
  { project, from, to }: Pinned,
  issues: readonly ReviewIssue[],
): Promise<(ReviewIssue & { outside_diff: boolean })[]> {
  if (issues.length === 0) return []
  const { hub } = live.deps
  const inDiff = new Set((await hub.diff(project, from, to)).map(({ path }: DiffFile) => path))
  const patches = new Map<string, string | null>()
  for (const { file_path: path } of issues)
    if (!patches.has(path))
      patches.set(path, inDiff.has(path) ? await hub.patch(project, from, to, path, WHOLE_PATCH_BYTES) : null)
  return issues.map((issue) => {
    const patch = patches.get(issue.file_path) ?? null
    return { ...issue, outside_diff: isOutside(issue, patch, patch !== null && CUT.test(patch)) }
  })
}

const TELLING: ReadonlySet<string> = new Set(['tampered', 'flaky'])
const MOST_EXECUTIONS = 200
/** Each is looked up in the history. */
const MOST_FLAGGED = 20

/** What the server has seen of this work for itself, in sentences; never what the agent said. */
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
    return false // a commit that the hub does not have any more is in no diff
  }
}
