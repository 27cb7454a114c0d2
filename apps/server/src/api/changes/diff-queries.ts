import type { BranchView, DiffView, PatchView } from '@beadloom/core/api/executions/diff-api.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { workBase } from '@beadloom/core/execution/work-base.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { Problem } from '../../ports/problem.ts'
import { HubError, type Hub } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'
import { gitFailed, noExecution } from '../../app/stored/refusals.ts'

/** The limit of listed files, which become rows in a browser; a push of a few kilobytes can change a million. */
const MOST_LISTED = 5000
const PATCH_LIMIT_BYTES = 1024 * 1024
/** The limit of listed commits; an agent that commits after each edit makes dozens. */
const MOST_COMMITS = 200
/** The limit of listed files of a merge conflict; the recorder of the event keeps fewer. */
const MOST_FILES = 1000
/** The most executions of a bead that are read to find the beginning of its re-checked work. */
const EXECUTIONS_READ = 50

export type DiffDeps = { store: Store; hub: Hub }

/** `from` and `to`: commits instead of the execution's own range. `context`: unchanged lines around a change. */
type DiffWish = {
  from?: string | undefined
  to?: string | undefined
  whitespace?: 'ignore' | undefined
  context?: number | undefined
}

type Range = { execution: Execution; project: ProjectId; from: string | null; to: string | null }

/** An execution's changes: its files, their patches, its commits. */
export function diffQueries(deps: DiffDeps) {
  const { hub } = deps
  return {
    diff: (id: ExecutionId, wish: DiffWish) =>
      withRange(deps, id, wish, async (range) => listed(await diffOf(hub, range, wish))),
    /** The patch of a file; 404 if the path is not among the changed files. */
    patch: (id: ExecutionId, path: string, wish: DiffWish) =>
      withRange(deps, id, wish, (range) => patchOf(hub, range, path, wish)),
    /** The commits, and what they conflict with. */
    branch: (id: ExecutionId) => withRange(deps, id, {}, (range) => branchOf(deps, range)),
  }
}

async function withRange<T>(
  { store }: DiffDeps,
  id: ExecutionId,
  wish: DiffWish,
  answer: (range: Range) => Promise<T | Problem>,
): Promise<T | Problem> {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  try {
    const { from = baseOf(store, execution), to = target(execution) } = wish
    return await answer({ execution, project: execution.project, from, to })
  } catch (error) {
    if (error instanceof HubError) return gitFailed(error)
    throw error
  }
}

const baseOf = (store: Store, execution: Execution): string | null =>
  execution.checksFirst ? workBase(execution, store.executions(ofItsBead(execution))) : execution.baseCommit

const ofItsBead = ({ project, bead }: Execution) => ({ project, bead, limit: EXECUTIONS_READ })

/** The verified commit, else the branch's present one. */
const target = (execution: Execution): string | null =>
  execution.commit ?? (execution.baseCommit ? `refs/heads/${execution.branch}` : null)

const commitOf = async (hub: Hub, { project, to }: Range): Promise<string | null> =>
  to?.startsWith('refs/') === true ? hub.tip(project, to) : to

const ignoring = ({ whitespace }: DiffWish) => ({ ignoreSpace: whitespace === 'ignore' })

async function diffOf(hub: Hub, range: Range, wish: DiffWish): Promise<DiffView> {
  const { project, from } = range
  const commit = await commitOf(hub, range)
  if (!from || !commit) return { from, to: commit, files: [] }
  return { from, to: commit, files: await hub.diff(project, from, commit, ignoring(wish)) }
}

function listed(diff: DiffView): DiffView {
  const more = diff.files.length - MOST_LISTED
  return more > 0 ? { ...diff, files: diff.files.slice(0, MOST_LISTED), more } : diff
}

async function patchOf(hub: Hub, range: Range, path: string, wish: DiffWish): Promise<PatchView | Problem> {
  const diff = await diffOf(hub, range, wish)
  if (!diff.from || !diff.to || !diff.files.some((file) => file.path === path)) {
    return new Problem(404, 'not_changed', `"${path}" is not among the changed files`)
  }
  const how = { ...ignoring(wish), ...(wish.context === undefined ? {} : { context: wish.context }) }
  const { text, cut } = await hub.patch(range.project, diff.from, diff.to, path, PATCH_LIMIT_BYTES, how)
  return { path, patch: text, truncated: cut }
}

async function branchOf({ store, hub }: DiffDeps, range: Range): Promise<BranchView> {
  const { execution, project, from } = range
  const to = await commitOf(hub, range)
  const commits = from && to ? await hub.commits(project, from, to, MOST_COMMITS + 1) : []
  const conflict =
    execution.reason === 'push_conflict' ? conflictOf(store.lastEvent(execution.id, 'push_conflict')?.data) : null
  return { from, to, commits: commits.slice(0, MOST_COMMITS), more: commits.length > MOST_COMMITS, conflict }
}

function conflictOf(data: unknown): BranchView['conflict'] {
  if (typeof data !== 'object' || data === null) return null
  const { branch, files } = data as Record<string, unknown>
  if (typeof branch !== 'string' || !Array.isArray(files)) return null
  return { with: branch, files: files.slice(0, MOST_FILES).map(String) }
}
