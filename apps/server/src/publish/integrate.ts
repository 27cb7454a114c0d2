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

/** Runs the project's checks on a merge of verified work with others' newer work. */
export type VerifyMerge = (candidate: string) => Promise<{ passed: boolean; digest: string }>

/** Regenerates lock files on a commit by their own tools. Returns the commit that has them; null: a tool failed. */
export type RemakeLocks = (commit: string, locks: readonly Remade[]) => Promise<string | null>

/** The steps of a merge that need a container: this folder knows no containers, so callers pass them in. */
export type MergeWork = { verify: VerifyMerge; remakeLocks: RemakeLocks }

/**
 * `mergeFailed`: the sides pass alone but fail together; the digest of the failures. The bead's branch has both then.
 * `conflict`: the two sides cannot be merged, and no branch has moved.
 */
export type NotIntegrated = { end: ExecutionEnd } | { mergeFailed: string } | { conflict: Conflict }

/** `own`: the side (`ours` or `theirs`) of the execution; `other`: the work merged or pushed meanwhile. */
export type Conflict = { branch: string; files: string[]; ours: string; theirs: string; own: string; other: string }

/** The verified commit that has everything. */
export type Integrated = { at: string }

/** Others move a branch only when they add something to it, while each round may take minutes of checks. */
const MOST_ROUNDS = 10
/** After these rounds, overtaken work gets a turn of its own at the branch: fast beads must not keep out a slow one. */
const FREE_ROUNDS = 3

/**
 * Brings verified work into the work branch of the hub: makes the merge, verifies it if it contains more than the work
 * itself, and moves the branch to it only if the branch's tip is unchanged. Nothing is locked while tests run, so
 * another bead may be first; then the merge is made again on top of that. After some rounds the work gets a turn of its
 * own.
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
 * True if the work becomes one commit: the project asks for it, the work's commits must not be seen, or the server
 * signs published commits. Agents cannot sign theirs, because the key is in no container.
 */
export const isFlat = (live: LiveExecution, commit: string): boolean =>
  live.settings.commits === 'squash' || staysHere(live, commit)

/** True if the work's own commits must not reach the remote: they become one commit. */
export const staysHere = (live: LiveExecution, commit: string): boolean =>
  live.deps.hub.signs || hasHiddenCommits(live, commit)

/** True if the verified work is in the hub's work branch, from which it cannot be taken back. */
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

/** Merges the commits that the remote's branch has and ours lacks, and verifies the merge. `at` has both. */
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
  // Another execution's start may have merged the two in the hub, unverified.
  if (done.result === 'already-there' && done.at !== remoteTip && !(await isVerified(live, done.at, verified))) {
    const verdict = await work.verify(done.at)
    throwIfStopped(live.stopper)
    if (!verdict.passed) return mergeFailed(live, done.at, verdict.digest)
  }
  return { at: done.at }
}

/**
 * `flat`: the branch gets one commit, with the files of the verified merge. `verified`: commits that passed; their
 * verdict also holds for commits that differ from them only in the tracker's file.
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

/** Tries once to bring the commit in; waits for `turn` before moving the branch. `moved`: somebody else was faster. */
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
 * Makes the merge. If only lock files conflict, their tools regenerate them on the rest of the merge. `moved`: the
 * branch has moved meanwhile.
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

/** True if both sides have these lock files: a tool cannot know that one side wants its file removed. */
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
 * If a project has no working tree here, its beads are commits on its work branch, made while other work is verified. A
 * merge that adds only such commits counts as verified.
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

/** @param bringsOwn true if the commit to bring in is the execution's work, not a remote's */
function conflictOf(
  branch: string,
  { files, ours, theirs }: Extract<Candidate, { result: 'conflict' }>,
  bringsOwn: boolean,
): Conflict {
  const [own, other] = bringsOwn ? [theirs, ours] : [ours, theirs]
  return { branch, files, ours, theirs, own, other }
}
