import { commitMessage } from '@beadloom/core/bead/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { differOnlyInTracker, TRACKER_FILE } from '@beadloom/core/bead/tracker-file.ts'
import { HubError, type Candidate, type TrackerOf } from '../ports/hub.ts'
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
  const trust = [settings.baseBranch, workBranch]
  const done = await bringIn(run, { branch: workBranch, commit, tracker: { trust }, verified: [commit] }, verifyMerge)
  if (!('at' in done)) return done
  if (done.leftOut) store.addEvent(execution.id, null, 'warning', { text: leftOutText(execution.branch) })
  // What the branch held already may hold more than was ever verified, so only the work itself goes to the remote.
  const at = done.result === 'already-there' ? commit : done.at
  store.addEvent(execution.id, null, 'integrated', { branch: workBranch, result: done.result, commit: at })
  return { at }
}

const leftOutText = (branch: string): string =>
  `${branch} changes ${TRACKER_FILE}, and that was left out: the beads there are written by people and by Beadloom, not by agents`

/** What the remote's branch has and ours has not, verified together with ours. `at` holds both. */
export async function takeUp(
  run: RunContext,
  branch: string,
  remoteTip: string,
  verified: readonly string[],
  verifyMerge: VerifyMerge,
): Promise<Integrated | NotIntegrated> {
  const done = await bringIn(run, { branch, commit: remoteTip, tracker: 'both', verified }, verifyMerge)
  if (!('at' in done)) return done
  run.deps.store.addEvent(run.execution.id, null, 'taken_up', { branch, commit: remoteTip, result: done.result })
  // Another execution's start may have merged the two in the hub, and nobody has verified that.
  if (done.result === 'already-there' && done.at !== remoteTip && !(await isVerified(run, done.at, verified))) {
    const verdict = await verifyMerge(done.at)
    throwIfStopped(run.stopper)
    if (!verdict.passed) return mergeFailed(run, done.at, verdict.digest)
  }
  return { at: done.at }
}

/** `verified`: commits whose verdict holds for whatever differs from one of them in nothing but the tracker's file. */
type Bring = { branch: string; commit: string; tracker: TrackerOf; verified: readonly string[] }

type Brought = { at: string; result: Exclude<Candidate['result'], 'conflict'>; leftOut: boolean }

async function bringIn(
  run: RunContext,
  { branch, commit, tracker, verified }: Bring,
  verifyMerge: VerifyMerge,
): Promise<Brought | NotIntegrated> {
  const { hub } = run.deps
  const { execution, project, bead } = run
  const what = branch === execution.branch ? `the remote's ${branch}` : execution.branch
  const message = `Merge ${what} into ${branch}\n\n${commitMessage(bead.id, bead.title)}`
  const good = [...verified]
  for (let round = 0; round < MOST_ROUNDS; round++) {
    throwIfStopped(run.stopper)
    const made = await hub.candidate({ project: project.id, execution: execution.id, branch, commit, message, tracker })
    crashPoint('after-candidate')
    if (made.result === 'conflict') return { end: conflict(run, branch, made) }
    const { leftOut = false } = made
    if (made.result === 'already-there') return { at: made.commit, result: made.result, leftOut }
    if (made.result === 'merged' && !(await isVerified(run, made.commit, good))) {
      const verdict = await verifyMerge(made.commit)
      throwIfStopped(run.stopper)
      if (!verdict.passed) return mergeFailed(run, made.commit, verdict.digest)
      good.push(made.commit)
    }
    if (await hub.advance(project.id, branch, made.onto, made.commit)) {
      crashPoint('after-advance')
      return { at: made.commit, result: made.result, leftOut }
    }
  }
  throw new HubError('git-failed', `${branch} moved ${MOST_ROUNDS} times while ${commit} was merged into it`)
}

/**
 * The beads of a project without a working tree here are commits on its work branch, made while others verify: a merge
 * with nothing new but them is what was verified.
 */
export async function isVerified(
  { deps, project }: RunContext,
  commit: string,
  verified: readonly string[],
): Promise<boolean> {
  for (const known of verified) {
    try {
      if (differOnlyInTracker(await deps.hub.diff(project.id, known, commit))) return true
    } catch (error) {
      if (!(error instanceof HubError)) throw error // too much differs to be listed
    }
  }
  return false
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
