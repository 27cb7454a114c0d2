import { fetchCommand, fetchRef } from '@beadloom/core/records/branch.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { committedText, leftText, type LeftWork } from '@beadloom/core/execution/left-text.ts'
import type { CommonDeps } from './deps.ts'
import { leftRefOf, saveRefOf } from './save-ref.ts'

type Deps = Pick<CommonDeps, 'store' | 'hub'>

/**
 * Finds the work of an execution that no branch has. It asks only the store and the hub, so it makes no difference which
 * server saved the work.
 */
export async function leftWork({ store, hub }: Deps, { id, project, branch }: Execution): Promise<LeftWork> {
  // An unreadable hub hides no container.
  const tipOf = (ref: string) => hub.tip(project, ref).catch(() => null)
  const onBranch = await tipOf(`refs/heads/${branch}`)
  // A subtask that changed nothing leaves the commit that it started from.
  const isOnBranch = async (commit: string) =>
    onBranch !== null && (await hub.contains(project, onBranch, commit).catch(() => false))
  const refs: string[] = []
  const addLeft = async (ref: string, commit: string) => void ((await isOnBranch(commit)) || refs.push(ref))
  for (const ref of lastSaves(store, id)) {
    const commit = await tipOf(ref)
    if (commit !== null) await addLeft(ref, commit)
  }
  for (let number = 1; ; number++) {
    const commit = await tipOf(leftRefOf(id, number))
    if (commit === null) break
    await addLeft(leftRefOf(id, number), commit)
  }
  const containers = store.keptContainers(id).map(({ name, bytes }) => ({ name, bytes }))
  return { refs, containers }
}

/** The same in words for a person, which begin with a space; empty: nothing is left. */
export async function whereLeft(deps: Deps, execution: Execution): Promise<string> {
  const left = await leftWork(deps, execution)
  return leftText(left, (ref) => fetchRef(deps.hub.path(execution.project), ref))
}

/**
 * The same about committed work, if its branch has commits that the work branch lacks; else empty.
 *
 * @param workBranch where verified work is merged
 */
export async function whereCommitted(
  { hub }: Pick<Deps, 'hub'>,
  { kind, project, branch, baseCommit }: Pick<Execution, 'kind' | 'project' | 'branch' | 'baseCommit'>,
  workBranch: string,
): Promise<string> {
  if (kind !== 'work' || baseCommit === null) return ''
  const tip = await hub.tip(project, `refs/heads/${branch}`)
  if (tip === null || tip === baseCommit) return ''
  const merged = await hub.tip(project, `refs/heads/${workBranch}`)
  if (merged !== null && (await hub.contains(project, merged, tip))) return ''
  return committedText(branch, fetchCommand(hub.path(project), branch))
}

/**
 * The refs of the last agent of each sandbox: its workspace had the saved work of earlier ones. The work of an approved
 * phase is in its commit.
 */
function lastSaves(store: Deps['store'], id: Execution['id']): string[] {
  const approved = new Set(store.phases(id).flatMap(({ number, commit }) => (commit === null ? [] : [number])))
  const rounds = store.rounds(id).filter(({ phase }) => approved.has(phase))
  const over = new Set(rounds.map(({ number }) => number))
  const last = new Map(
    store
      .sessions(id)
      .filter(({ kind, attempt }) => kind === 'work' && !over.has(attempt))
      .map((session) => [session.container, saveRefOf(session.id)]),
  )
  return [...last.values()]
}
