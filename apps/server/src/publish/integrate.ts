import { signatureOf } from '../execution/signature.ts'
import { squashedMessage } from './squash.ts'
import { commitMessage } from '@beadloom/core/records/branch.ts'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { remakingOf, type Remade } from '@beadloom/core/execution/remake-locks.ts'
import { TRACKER_FILE } from '@beadloom/core/records/tracker-file.ts'
import { hasHiddenCommits } from '../execution/hidden-commits.ts'
import { storedOf, warn, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { HubError } from '../ports/hub.ts'
import type { Candidate, Merge, TrackerOf } from '../ports/hub/merges.ts'
import { crashPoint } from '../process/crash-point.ts'

/** The project's checks on a commit that merges verified work with others' meanwhile. */
export type VerifyMerge = (candidate: string) => Promise<{ passed: boolean; digest: string }>

/** Makes lock files anew on a commit, by their tools. Returns the commit that has them; null: a tool could not. */
export type RemakeLocks = (commit: string, locks: readonly Remade[]) => Promise<string | null>

/** The work on a merge that needs a container: this room knows none. */
export type MergeWork = { verify: VerifyMerge; remakeLocks: RemakeLocks }

/**
 * `mergeFailed`: each good alone, but not together; the digest of the failures. The bead's branch has both by then.
 * `conflict`: the two cannot be merged, and nothing has been moved.
 */
export type NotIntegrated = { end: ExecutionEnd } | { mergeFailed: string } | { conflict: Conflict }

/** `own`: the execution's side, one of the two; `other`: the work merged or pushed meanwhile. */
export type Conflict = { branch: string; files: string[]; ours: string; theirs: string; own: string; other: string }

/** The verified commit that has everything. */
export type Integrated = { at: string }

/** Others move a branch only as often as they have something to add; each round may verify for minutes. */
const MOST_ROUNDS = 10
/** Work that was overtaken so often has the next turn at its branch: many fast beads must not keep out a slow one. */
const FREE_ROUNDS = 3

/**
 * Brings verified work into the work branch of the hub: the merge is made first, verified if it is more than the work
 * itself, and the branch moves to it only from its former tip. Nothing is locked while tests run, so another bead may
 * be first; then the merge is made anew on top of that. After some rounds the work has a turn of its own.
 */
export async function integrate(
  live: LiveExecution,
  commit: string,
  work: MergeWork,
): Promise<Integrated | NotIntegrated> {
  const { hub } = live.deps
  const { project, settings } = live
  const { workBranch } = settings
  const brought = await hub.brought({ project: project.id, execution: live.id, branch: workBranch, commit })
  if (brought) {
    if (!isMerged(live)) await noteMerged(live, workBranch, 'already-there', brought) // the server died after the move
    return { at: brought }
  }
  const trust = [settings.baseBranch, workBranch]
  const done = await bringIn(
    live,
    { branch: workBranch, commit, tracker: { trust }, verified: [commit], flat: isFlat(live, commit) },
    work,
  )
  if (!('at' in done)) return done
  if (done.leftOut) await warn(live, leftOutText(storedOf(live).branch))
  // The branch may hold more than was ever verified, so only the work itself goes to the remote.
  const at = done.result === 'already-there' ? commit : done.at
  await noteMerged(live, workBranch, done.result, at)
  return { at }
}

/**
 * Whether the work becomes one commit: the project wants that, its commits must not be seen, or the server signs
 * published commits, and its key is in no container.
 */
export const isFlat = (live: LiveExecution, commit: string): boolean =>
  live.settings.commits === 'squash' || staysHere(live, commit)

/** Whether the commits of the work itself must not reach the remote: they become one commit. */
export const staysHere = (live: LiveExecution, commit: string): boolean =>
  live.deps.hub.signs || hasHiddenCommits(live, commit)

/** Whether its verified work is in the hub's work branch, from where it cannot be taken back. */
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

/** Merges the remote branch's commits that ours lacks, verified together with ours. `at` has both. */
export async function mergeRemote(
  live: LiveExecution,
  branch: string,
  remoteTip: string,
  verified: readonly string[],
  work: MergeWork,
): Promise<Integrated | NotIntegrated> {
  const done = await bringIn(live, { branch, commit: remoteTip, tracker: 'both', verified, flat: false }, work)
  if (!('at' in done)) return done
  await live.deps.store.addEvent(live.id, null, 'taken_up', { branch, commit: remoteTip, result: done.result })
  // Another execution's start may have merged the two in the hub, and nobody has verified that.
  if (done.result === 'already-there' && done.at !== remoteTip && !(await isVerified(live, done.at, verified))) {
    const verdict = await work.verify(done.at)
    throwIfStopped(live.stopper)
    if (!verdict.passed) return mergeFailed(live, done.at, verdict.digest)
  }
  return { at: done.at }
}

/**
 * `flat`: the branch gets one commit, with the files of the verified merge. `verified`: commits whose verdict also
 * holds for others that differ from them only in the tracker's file.
 */
type Bring = { branch: string; commit: string; tracker: TrackerOf; verified: readonly string[]; flat: boolean }

type Brought = { at: string; result: Exclude<Candidate['result'], 'conflict'>; leftOut: boolean }

async function bringIn(live: LiveExecution, bring: Bring, work: MergeWork): Promise<Brought | NotIntegrated> {
  const { mergeTurns } = live.deps
  const { signal } = live.stopper
  const key = `${live.project.id} ${bring.branch}`
  const rounds = await roundsOf(live, bring, work)
  for (let round = 0; round < FREE_ROUNDS; round++) {
    const done = await rounds(() => mergeTurns.others(key, signal))
    if (done !== 'moved') return done
  }
  const end = await mergeTurns.take(key, signal)
  try {
    for (let round = FREE_ROUNDS; round < MOST_ROUNDS; round++) {
      const done = await rounds()
      if (done !== 'moved') return done
    }
  } finally {
    end()
  }
  const own = storedOf(live).branch
  throw new HubError(
    'git-failed',
    `the work is on ${own} and passed its checks, but ${bring.branch} moved ${MOST_ROUNDS} times while the two were merged and checked: wait until less is pushed there`,
  )
}

/** Tries once to bring it in, and waits for `turn` before it moves the branch; `moved`: somebody else was faster. */
type Round = (turn?: () => Promise<void>) => Promise<Brought | NotIntegrated | 'moved'>

async function roundsOf(
  live: LiveExecution,
  { branch, commit, tracker, verified, flat }: Bring,
  work: MergeWork,
): Promise<Round> {
  const { hub } = live.deps
  const { id: execution, project, bead } = live
  const own = storedOf(live).branch
  const what = branch === own ? `the remote's ${branch}` : own
  const [message = ''] = await live.deps.aside.masked([
    `Merge ${what} into ${branch}\n\n${commitMessage(bead.id, bead.title)}`,
  ])
  const good = [...verified]
  const by = await signatureOf(live)
  return async (turn) => {
    throwIfStopped(live.stopper)
    const made = await candidateOf(
      live,
      { project: project.id, execution, branch, commit, message, tracker, by },
      work.remakeLocks,
    )
    crashPoint('after-candidate')
    if (made === 'moved') return made
    if (made.result === 'conflict') return { conflict: conflictOf(branch, made, verified.includes(commit)) }
    const { leftOut = false } = made
    if (made.result === 'already-there') return { at: made.commit, result: made.result, leftOut }
    if (made.result === 'merged' && !(await isVerified(live, made.commit, good))) {
      const verdict = await work.verify(made.commit)
      throwIfStopped(live.stopper)
      if (!verdict.passed) return mergeFailed(live, made.commit, verdict.digest)
      good.push(made.commit)
    }
    await turn?.()
    throwIfStopped(live.stopper)
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
    return 'moved'
  }
}

/**
 * The merge. If only lock files conflict, their tools make them anew on the rest of it. `moved`: the branch did
 * meanwhile.
 */
async function candidateOf(live: LiveExecution, merge: Merge, remake: RemakeLocks): Promise<Candidate | 'moved'> {
  const { hub, store } = live.deps
  const made = await hub.candidate(merge)
  if (made.result !== 'conflict') return made
  const locks = remakingOf(made.files)
  if (locks.length === 0 || locks.length < made.files.length || !(await areOnBothSides(live, made, locks))) return made
  const start = await hub.candidate({ ...merge, files: { paths: locks.map(({ path }) => path), of: null } })
  if (start.result !== 'merged') return start
  const remade = await remake(start.commit, locks)
  throwIfStopped(live.stopper)
  if (remade === null) return made
  const paths = locks.flatMap(({ writes }) => writes)
  const done = await hub.candidate({ ...merge, files: { paths, of: remade } })
  if (done.result !== 'merged' || done.onto !== start.onto) return 'moved'
  await store.addEvent(live.id, null, 'locks_remade', { branch: merge.branch, files: locks.map(({ path }) => path) })
  return done
}

/** If one of the two wants to remove a lock file, its tool cannot know that. */
async function areOnBothSides(
  { deps: { hub }, project }: LiveExecution,
  { ours, theirs }: Extract<Candidate, { result: 'conflict' }>,
  locks: readonly Remade[],
): Promise<boolean> {
  const files = await hub.diff(project.id, ours, theirs)
  const changed = new Set(files.flatMap(({ path, status }) => (status === 'M' ? [path] : [])))
  return locks.every(({ path }) => changed.has(path))
}

/**
 * Beads of a project without a working tree here are commits on its work branch, made while others verify: a merge with
 * no other new commits counts as verified.
 */
export async function isVerified(
  { deps, project }: LiveExecution,
  commit: string,
  verified: readonly string[],
): Promise<boolean> {
  for (const known of verified) if (await deps.hub.isSameWork(project.id, known, commit)) return true
  return false
}

/** The next attempt has to see the failing merge, so its branch continues from there; that only adds commits. */
async function mergeFailed(live: LiveExecution, candidate: string, digest: string): Promise<{ mergeFailed: string }> {
  const { hub } = live.deps
  const { project } = live
  const { branch } = storedOf(live)
  const tip = await hub.tip(project.id, `refs/heads/${branch}`)
  if (tip && (await hub.contains(project.id, candidate, tip))) await hub.advance(project.id, branch, tip, candidate)
  return { mergeFailed: digest }
}

/** @param bringsOwn the commit to be brought in is the execution's work, not a remote's */
function conflictOf(
  branch: string,
  { files, ours, theirs }: Extract<Candidate, { result: 'conflict' }>,
  bringsOwn: boolean,
): Conflict {
  const [own, other] = bringsOwn ? [theirs, ours] : [ours, theirs]
  return { branch, files, ours, theirs, own, other }
}
