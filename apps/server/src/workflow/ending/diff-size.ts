import type { DiffSize, Execution } from '@beadloom/core/records/execution.ts'
import { namesIn, outsideFiles } from '@beadloom/core/execution/outside-files.ts'
import { workBase } from '@beadloom/core/execution/work-base.ts'
import { HubError } from '../../ports/hub.ts'
import type { DiffFile } from '../../ports/hub/diffs.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'

/**
 * Counts the changes of verified work, and its files that the bead does not name, once, at its end: boards show this
 * for hundreds of beads, and must not ask git for any of them. An unreadable repository leaves it out. Safe to repeat.
 */
export async function noteDiffSize(deps: Deps, execution: Execution): Promise<void> {
  const { store, log } = deps
  const { id, project, bead, commit, diffSize } = execution
  const base = workBase(execution, execution.checksFirst ? store.executions({ project, bead, limit: 50 }) : [])
  if (base === null || commit === null || diffSize !== null) return
  let size: DiffSize
  try {
    size = await sizeOf(deps, execution, base, commit)
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return log.warn({ error, execution: id }, 'what an execution changed could not be counted')
  }
  await store.noteDiffSize(id, size)
}

type Deps = Pick<ExecutionDeps, 'store' | 'hub' | 'log'>

/** A bead's names are looked for among this many paths; with more changed files nobody can say which are outside. */
const MOST_PATHS = 20_000
const MOST_OUTSIDE = 100

async function sizeOf({ store, hub }: Deps, execution: Execution, base: string, commit: string): Promise<DiffSize> {
  const { project, bead, planVersion } = execution
  const files: DiffFile[] = await hub.diff(project, base, commit)
  const told = store.bead(project, bead)
  const plan = planVersion === undefined ? null : store.plan(project, bead, planVersion)
  const named = namesIn({
    task: `${told?.title ?? ''}\n${told?.description ?? ''}`,
    planned: plan?.plan.subtasks.flatMap(({ filesTouched }) => filesTouched) ?? [],
  })
  const changed = files.map(({ path }) => path)
  const isKnown = named.length > 0 && changed.length <= MOST_PATHS
  const outside = isKnown ? outsideFiles(named, changed, await hub.paths(project, base, MOST_PATHS)) : null
  return {
    files: files.length,
    added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
    removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
    ...(outside !== null && outside.length > 0 && { outside: outside.slice(0, MOST_OUTSIDE) }),
  }
}
