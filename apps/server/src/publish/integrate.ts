import { signatureOf } from '../execution/signature.ts'
import { squashedMessage } from './squash.ts'
import { commitMessage } from '@beadloom/core/bead/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { TRACKER_FILE } from '@beadloom/core/bead/tracker-file.ts'
import { failed } from '../execution/ends.ts'
import { hasHiddenCommits } from '../execution/hidden-commits.ts'
import { storedOf, warn, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { HubError, type Candidate, type TrackerOf } from '../ports/hub.ts'
import { crashPoint } from '../process/crash-point.ts'

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
  live: LiveExecution,
  commit: string,
  verifyMerge: VerifyMerge,
): Promise<Integrated | NotIntegrated> {
  const { hub } = live.deps
  const { project, settings } = live
  const { workBranch } = settings
  const brought = await hub.brought({ project: project.id, execution: live.id, branch: workBranch, commit })
  if (brought) {
    if (!isMerged(live)) await noteMerged(live, workBranch, 'already-there', brought) // a server died just after the move
    return { at: brought }
  }
  const trust = [settings.baseBranch, workBranch]
  const done = await bringIn(
    live,
    { branch: workBranch, commit, tracker: { trust }, verified: [commit], flat: isFlat(live, commit) },
    verifyMerge,
  )
  if (!('at' in done)) return done
  if (done.leftOut) await warn(live, leftOutText(storedOf(live).branch))
  // What the branch held already may hold more than was ever verified, so only the work itself goes to the remote.
  const at = done.result === 'already-there' ? commit : done.at
  await noteMerged(live, workBranch, done.result, at)
  return { at }
}

/** The work becomes one commit: the project wants that, or its commits are not to be seen. */
export const isFlat = (live: LiveExecution, commit: string): boolean =>
  live.settings.commits === 'squash' || hasHiddenCommits(live, commit)

/** Its verified work is in the hub's work branch, from where it cannot be taken back. */
export const isMerged = ({ deps: { store }, id }: LiveExecution): boolean => store.lastEvent(id, 'integrated') !== null

async function noteMerged(
  { deps: { store }, id }: LiveExecution,
  branch: string,
  result: string,
  commit: string,
): Promise<void> {
  await store.addEvent(id, null, 'integrated', { branch, result, commit })
}

const leftOutText = (branch: string): string =>
  `${branch} changes ${TRACKER_FILE}, so that part was left out: beads are written by people and by Beadloom, not by agents`

/** What the remote's branch has and ours has not, verified together with ours. `at` holds both. */
export async function mergeRemote(
  live: LiveExecution,
  branch: string,
  remoteTip: string,
  verified: readonly string[],
  verifyMerge: VerifyMerge,
): Promise<Integrated | NotIntegrated> {
  const done = await bringIn(live, { branch, commit: remoteTip, tracker: 'both', verified, flat: false }, verifyMerge)
  if (!('at' in done)) return done
  await live.deps.store.addEvent(live.id, null, 'taken_up', { branch, commit: remoteTip, result: done.result })
  // Another execution's start may have merged the two in the hub, and nobody has verified that.
  if (done.result === 'already-there' && done.at !== remoteTip && !(await isVerified(live, done.at, verified))) {
    const verdict = await verifyMerge(done.at)
    throwIfStopped(live.stopper)
    if (!verdict.passed) return mergeFailed(live, done.at, verdict.digest)
  }
  return { at: done.at }
}

/**
 * `flat`: the branch gets one commit, with the files of what was made and verified. `verified`: commits whose verdict holds for whatever differs from one of them in nothing but the tracker's file. */
type Bring = { branch: string; commit: string; tracker: TrackerOf; verified: readonly string[]; flat: boolean }

type Brought = { at: string; result: Exclude<Candidate['result'], 'conflict'>; leftOut: boolean }

async function bringIn(
  live: LiveExecution,
  { branch, commit, tracker, verified, flat }: Bring,
  verifyMerge: VerifyMerge,
): Promise<Brought | NotIntegrated> {
  const { hub } = live.deps
  const { id: execution, project, bead } = live
  const own = storedOf(live).branch
  const what = branch === own ? `the remote's ${branch}` : own
  const message = `Merge ${what} into ${branch}\n\n${commitMessage(bead.id, bead.title)}`
  const good = [...verified]
  const by = await signatureOf(live)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    throwIfStopped(live.stopper)
    const made = await hub.candidate({ project: project.id, execution, branch, commit, message, tracker, by })
    crashPoint('after-candidate')
    if (made.result === 'conflict') return { end: await conflict(live, branch, made) }
    const { leftOut = false } = made
    if (made.result === 'already-there') return { at: made.commit, result: made.result, leftOut }
    if (made.result === 'merged' && !(await isVerified(live, made.commit, good))) {
      const verdict = await verifyMerge(made.commit)
      throwIfStopped(live.stopper)
      if (!verdict.passed) return mergeFailed(live, made.commit, verdict.digest)
      good.push(made.commit)
    }
    const { onto } = made
    const flatten = async (base: string) =>
      hub.flatten(project.id, {
        onto: base,
        commit: made.commit,
        message: await squashedMessage(live, base, commit),
        by,
      })
    const at = flat && onto !== null ? await flatten(onto) : made.commit
    if (at === onto || (await hub.advance(project.id, branch, onto, at))) {
      crashPoint('after-advance')
      return { at, result: made.result, leftOut }
    }
  }
  throw new HubError('git-failed', `${branch} moved ${MOST_ROUNDS} times while ${commit} was merged into it`)
}

/**
 * The beads of a project without a working tree here are commits on its work branch, made while others verify: a merge
 * with nothing new but them is what was verified.
 */
export async function isVerified(
  { deps, project }: LiveExecution,
  commit: string,
  verified: readonly string[],
): Promise<boolean> {
  for (const known of verified) if (await deps.hub.isSameWork(project.id, known, commit)) return true
  return false
}

/** The next attempt has to see what it fails with, so its branch goes on from the merge; that only adds commits. */
async function mergeFailed(live: LiveExecution, candidate: string, digest: string): Promise<{ mergeFailed: string }> {
  const { hub } = live.deps
  const { project } = live
  const { branch } = storedOf(live)
  const tip = await hub.tip(project.id, `refs/heads/${branch}`)
  if (tip && (await hub.contains(project.id, candidate, tip))) await hub.advance(project.id, branch, tip, candidate)
  return { mergeFailed: digest }
}

async function conflict(
  live: LiveExecution,
  branch: string,
  { files, ours, theirs }: Extract<Candidate, { result: 'conflict' }>,
): Promise<ExecutionEnd> {
  await live.deps.store.addEvent(live.id, null, 'push_conflict', {
    branch,
    files: files.slice(0, MOST_FILES),
    ours,
    theirs,
  })
  const named = files.slice(0, MOST_FILES_SAID).join(', ')
  const more = files.length > MOST_FILES_SAID ? ` and ${files.length - MOST_FILES_SAID} more files` : ''
  return failed({
    kind: 'push_conflict',
    branch: storedOf(live).branch,
    detail: `${branch} has other changes in ${named}${more}`,
  })
}
