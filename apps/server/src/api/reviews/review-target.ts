import { branchName } from '@beadloom/core/records/branch.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { differOnlyInTracker } from '@beadloom/core/records/tracker-file.ts'
import { Problem } from '../../ports/problem.ts'
import type { Hub, HubProject } from '../../ports/hub.ts'
import type { Store } from '../../ports/store.ts'

/** A branch and the two commits between which it is reviewed. */
export type ReviewTarget = { branch: string; from: string; to: string }

type Parts = { store: Store; hub: Hub }

/**
 * The range of a review: a bead's branch from where its work began, or the work branch from where it left the base
 * branch. Only reads; if there is nothing to review, a Problem says why.
 */
export async function reviewTarget(
  parts: Parts,
  project: HubProject,
  settings: ProjectSettings,
  bead: BeadId | null,
): Promise<ReviewTarget | Problem> {
  const found = await (bead === null ? ofWorkBranch(parts, project, settings) : ofBead(parts, project, settings, bead))
  if (found instanceof Problem) return found
  const { branch, from, to } = found
  const files = from === to ? [] : await parts.hub.diff(project.id, from, to)
  // People and Beadloom write the beads on the work branch: they are not reviewed.
  if (files.length === 0 || (bead === null && differOnlyInTracker(files)))
    return new Problem(
      422,
      'nothing_to_review',
      `${branch} has no changes against ${from.slice(0, 12)}: there is nothing to review`,
    )
  return found
}

async function ofWorkBranch(
  { hub }: Parts,
  project: HubProject,
  { workBranch, baseBranch }: ProjectSettings,
): Promise<ReviewTarget | Problem> {
  const to = await hub.tip(project.id, headOf(workBranch))
  if (to === null)
    return new Problem(
      422,
      'no_branch',
      `there is no work branch ${workBranch} yet: run a bead first (beadloom run BEAD)`,
    )
  const current = await hub.current(project)
  const from = current && (await hub.mergeBase(project.id, current.commit, to))
  if (!from) return unrelated(workBranch, baseBranch)
  return { branch: workBranch, from, to }
}

async function ofBead(
  parts: Parts,
  project: HubProject,
  settings: ProjectSettings,
  id: BeadId,
): Promise<ReviewTarget | Problem> {
  const { store, hub } = parts
  const executions = store
    .executions({ project: project.id, bead: id, limit: 100 })
    .filter(({ kind }) => kind === 'work')
  const branch = executions[0]?.branch ?? branchName(id, store.bead(project.id, id)?.title ?? '')
  const to = await hub.tip(project.id, headOf(branch))
  if (to === null)
    return new Problem(
      422,
      'no_branch',
      executions.length === 0
        ? `the bead ${id} has not run yet, so there is nothing to review. Run it: beadloom run ${id}`
        : `the branch ${branch} of the bead ${id} is gone. Run the bead again, or review the work branch without a bead.`,
    )
  const from = await startOf(parts, project, settings, executions, to)
  return from === null ? unrelated(branch, settings.workBranch) : { branch, from, to }
}

/**
 * While the work is not in the work branch: the point where the two branches part. Afterwards they no longer part, and
 * it is the start of the bead's work, in the first of the executions that led to this one.
 */
async function startOf(
  { hub }: Parts,
  project: HubProject,
  { workBranch }: ProjectSettings,
  executions: readonly Execution[],
  to: string,
): Promise<string | null> {
  const work = (await hub.tip(project.id, headOf(workBranch))) ?? (await hub.current(project))?.commit ?? null
  if (work !== null && !(await hub.contains(project.id, work, to))) return hub.mergeBase(project.id, work, to)
  const before = executions.findIndex(({ state }, at) => at > 0 && state === 'COMPLETED')
  const ofThisWork = before < 0 ? executions : executions.slice(0, before)
  for (const { baseCommit } of ofThisWork.toReversed())
    if (baseCommit !== null && (await hub.contains(project.id, to, baseCommit).catch(() => false))) return baseCommit
  return null
}

const headOf = (branch: string): string => `refs/heads/${branch}`

const unrelated = (branch: string, other: string) =>
  new Problem(422, 'no_common_start', `${branch} and ${other} share no history, so there is no diff to review`)
