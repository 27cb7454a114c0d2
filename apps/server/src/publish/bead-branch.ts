import { signatureOf } from '../execution/signature.ts'
import { branchName, commitMessage } from '@beadloom/core/records/branch.ts'
import { storedOf, warn, type LiveExecution } from '../execution/live-execution.ts'

/** `notice` tells the agent what to merge before anything else; null: nothing. */
export type BeadBranch = { branch: string; commit: string; notice: string | null }

/**
 * The bead's branch with everything that the work branch has at `workTip`. A branch that an earlier execution left
 * continues from its own work, and a follow-up bead's begins with the failed execution's, so work merged meanwhile is
 * merged in here; conflicts are left to the agent.
 */
export async function prepareBranch(live: LiveExecution, workTip: string): Promise<BeadBranch> {
  const { hub } = live.deps
  const { bead, project, settings } = live
  const branch = branchName(bead.id, bead.title)
  const commit = await hub.ensureBranch(project.id, branch, (await startOf(live, branch)) ?? workTip)
  const message = `Merge ${settings.workBranch} into ${branch}\n\n${commitMessage(bead.id, bead.title)}`
  const merged = await hub.integrate(project.id, branch, workTip, message, 'incoming', await signatureOf(live))
  if (merged.result !== 'conflict') return { branch, commit: merged.commit, notice: null }
  const files = merged.files.join(', ')
  await warn(
    live,
    `${branch} has the work of an earlier execution and conflicts with ${settings.workBranch} in ${files}: the agent is asked to merge`,
  )
  const notice = `The branch ${branch} has the work of an earlier execution, and it conflicts with ${settings.workBranch} in ${files}. Before anything else run 'git merge origin/${settings.workBranch}', resolve the conflicts so that both changes hold, and commit the merge.`
  return { branch, commit, notice }
}

/**
 * Whether `prepareBranch` will return this commit of the work branch, as it mostly does: the branch is new, or has
 * nothing that is not in there. Then slow steps can begin beside it.
 */
export async function willBeginAt(live: LiveExecution, workTip: string): Promise<boolean> {
  const { bead, project, deps } = live
  const known = storedOf(live).baseCommit
  if (known !== null) return known === workTip
  const here = await deps.hub.tip(project.id, `refs/heads/${branchName(bead.id, bead.title)}`)
  return here === null ? bead.baseBranch === undefined : deps.hub.contains(project.id, workTip, here)
}

/** The commit where a follow-up bead's new branch begins; null: at the work branch, like all others. */
async function startOf(live: LiveExecution, branch: string): Promise<string | null> {
  const { bead, project, settings } = live
  const { hub } = live.deps
  if (bead.baseBranch === undefined || (await hub.tip(project.id, `refs/heads/${branch}`))) return null
  const failed = await hub.tip(project.id, `refs/heads/${bead.baseBranch}`)
  if (failed) return failed
  await warn(
    live,
    `the branch ${bead.baseBranch}, where this bead was to continue, is gone: it starts from ${settings.workBranch}`,
  )
  return null
}
