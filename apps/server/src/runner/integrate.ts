import { commitMessage } from '@beadloom/core/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/execution.ts'
import { HubError, type Candidate } from '../ports/hub.ts'
import { crashPoint } from '../process/crash-point.ts'
import { failed } from './failed.ts'
import type { RunContext } from './run-context.ts'
import { throwIfStopped } from './stop.ts'

/** The project's checks on a commit that merges verified work with what others did meanwhile. */
export type VerifyMerge = (candidate: string) => Promise<{ passed: boolean; digest: string }>

/** `mergeFailed`: good alone, and not together; the digest of what failed. The bead's branch has both by then. */
export type NotIntegrated = { end: ExecutionEnd } | { mergeFailed: string }

/** The verified commit that holds everything that was to be brought together. */
export type Integrated = { at: string }

/** Somebody else moves a branch only as often as they have something to add; each round may verify for minutes. */
const MOST_ROUNDS = 10
const MOST_FILES = 1000
const MOST_FILES_SAID = 10

/**
 * Brings verified work into the work branch of the hub: the commit is made first, verified where it is more than the
 * work itself, and the branch is moved to it only from where it was. Nothing is locked while tests run, so that
 * another bead may be first; then it is made anew on top of that.
 */
export async function integrate(
  run: RunContext,
  commit: string,
  verifyMerge: VerifyMerge,
): Promise<Integrated | NotIntegrated> {
  const { hub, store } = run.deps
  const { execution, project, settings } = run
  const { workBranch } = settings
  const brought = await hub.brought({ project: project.id, execution: execution.id, branch: workBranch, commit })
  if (brought) return { at: brought }
  const done = await bringIn(run, workBranch, commit, verifyMerge)
  if (!('at' in done)) return done
  // What the branch held already may hold more than was ever verified, so only the work itself goes to the remote.
  const at = done.result === 'already-there' ? commit : done.at
  store.addEvent(execution.id, null, 'integrated', { branch: workBranch, result: done.result, commit: at })
  return { at }
}

/** What the remote's branch has and ours has not, verified together with ours. `at` holds both. */
export async function takeUp(
  run: RunContext,
  branch: string,
  remoteTip: string,
  verifyMerge: VerifyMerge,
): Promise<Integrated | NotIntegrated> {
  const done = await bringIn(run, branch, remoteTip, verifyMerge)
  if (!('at' in done)) return done
  run.deps.store.addEvent(run.execution.id, null, 'taken_up', { branch, commit: remoteTip, result: done.result })
  // Another execution's start may have merged the two in the hub, and nobody has verified that.
  if (done.result === 'already-there' && done.at !== remoteTip) {
    const verdict = await verifyMerge(done.at)
    throwIfStopped(run.stopper)
    if (!verdict.passed) return mergeFailed(run, done.at, verdict.digest)
  }
  return { at: done.at }
}

async function bringIn(
  run: RunContext,
  branch: string,
  commit: string,
  verifyMerge: VerifyMerge,
): Promise<{ at: string; result: Exclude<Candidate['result'], 'conflict'> } | NotIntegrated> {
  const { hub } = run.deps
  const { execution, project, bead } = run
  const what = branch === execution.branch ? `the remote's ${branch}` : execution.branch
  const message = `Merge ${what} into ${branch}\n\n${commitMessage(bead.id, bead.title)}`
  for (let round = 0; round < MOST_ROUNDS; round++) {
    throwIfStopped(run.stopper)
    const made = await hub.candidate({ project: project.id, execution: execution.id, branch, commit, message })
    crashPoint('after-candidate')
    if (made.result === 'conflict') return { end: conflict(run, branch, made) }
    if (made.result === 'already-there') return { at: made.commit, result: made.result }
    if (made.result === 'merged') {
      const verdict = await verifyMerge(made.commit)
      throwIfStopped(run.stopper)
      if (!verdict.passed) return mergeFailed(run, made.commit, verdict.digest)
    }
    if (await hub.advance(project.id, branch, made.onto, made.commit)) {
      crashPoint('after-advance')
      return { at: made.commit, result: made.result }
    }
  }
  throw new HubError('git-failed', `${branch} moved ${MOST_ROUNDS} times while ${commit} was merged into it`)
}

/** The next attempt has to see what it fails with, so its branch goes on from the merge; that only adds commits. */
async function mergeFailed(run: RunContext, candidate: string, digest: string): Promise<{ mergeFailed: string }> {
  const { hub } = run.deps
  const { project, execution } = run
  const tip = await hub.tip(project.id, `refs/heads/${execution.branch}`)
  if (tip && (await hub.contains(project.id, candidate, tip)))
    await hub.advance(project.id, execution.branch, tip, candidate)
  return { mergeFailed: digest }
}

function conflict(
  run: RunContext,
  branch: string,
  { files, ours, theirs }: Extract<Candidate, { result: 'conflict' }>,
): ExecutionEnd {
  const { deps, execution } = run
  deps.store.addEvent(execution.id, null, 'push_conflict', { branch, files: files.slice(0, MOST_FILES), ours, theirs })
  const named = files.slice(0, MOST_FILES_SAID).join(', ')
  const more = files.length > MOST_FILES_SAID ? ` and ${files.length - MOST_FILES_SAID} more files` : ''
  return failed({
    kind: 'push_conflict',
    branch: execution.branch,
    detail: `${branch} has other changes in ${named}${more}`,
  })
}
