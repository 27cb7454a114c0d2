import { lostOnRemoteText, mergeOf } from '@beadloom/core/records/branch.ts'
import { signatureOf } from '../execution/signature.ts'
import { squashBranch } from './squash.ts'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { failed } from '../execution/ends.ts'
import { storedOf, warn, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { HubError, type HubErrorKind, type PinnedRef, type Published } from '../ports/hub.ts'
import { crashPoint } from '../process/crash-point.ts'
import { integrate, isFlat, mergeRemote, staysHere, type MergeWork, type NotIntegrated } from './integrate.ts'
import { RemoteBackoff, type Away } from './remote-backoff.ts'

/** A push under way during a cancel is nearly always done within this time, and then the bead is done too. */
const PUSH_GRACE_MS = 5_000

/** Failures that may pass without help; `missing` is a disk that is not mounted, or a rename. */
const passes: ReadonlySet<HubErrorKind> = new Set(['unreachable', 'timed-out', 'hangs', 'git-failed', 'missing'])

type Failed = Published['failed'][number]

/**
 * Brings verified work into the work branch and publishes both branches, never by force. New commits on the remote are
 * merged once, and verified together with the work. May be called again from any point of it: finished steps are
 * recognized.
 *
 * @param whileAway frees everything that a wait for the remote does not need
 */
export async function integrateAndPublish(
  live: LiveExecution,
  commit: string,
  work: MergeWork,
  whileAway: () => Promise<void> = async () => {},
): Promise<NotIntegrated> {
  const remote = new RemoteBackoff(live, whileAway)
  try {
    return await publishRounds(live, commit, work, remote)
  } finally {
    if (!live.stopper.detached) await remote.end()
  }
}

async function publishRounds(
  live: LiveExecution,
  verified: string,
  work: MergeWork,
  remote: RemoteBackoff,
): Promise<NotIntegrated> {
  const { settings } = live
  const { branch } = storedOf(live)
  const workRef = `refs/heads/${settings.workBranch}`
  const own = `refs/heads/${branch}`
  let commit = verified
  await catchUp(live, commit)
  const first = await integrate(live, commit, work)
  if (!('at' in first)) return first
  let { at } = first
  if (isFlat(live, verified)) commit = await squashBranch(live, commit, at)
  // Its branch moved on meanwhile, and its commits must not be seen.
  const alone = staysHere(live, verified) && !(await live.deps.hub.contains(live.project.id, at, commit))
  for (const lastTry of [false, true]) {
    const refs = [...(alone ? [] : [{ ref: own, commit }]), { ref: workRef, commit: at }]
    const answer = await remote.until(() => push(live, refs))
    if ('gaveUp' in answer) return { end: gaveUp(live, answer.gaveUp) }
    const refused = answer.failed.filter(({ kind }) => kind === 'refused')
    if (refused.length > 0) return { end: refusedEnd(live, refused) }
    if (answer.failed.length === 0) return { end: await published(live, commit, refs) }

    const fetched = await remote.until(() => fetch(live))
    if ('gaveUp' in fetched) return { end: gaveUp(live, fetched.gaveUp) }
    const { arrived, ahead } = await compare(live, refs)
    if (arrived) return { end: await published(live, commit, refs) }
    if (lastTry) return { end: refusedEnd(live, answer.failed) }

    const ownAhead = ahead.get(own)
    if (ownAhead) {
      const taken = await mergeRemote(live, branch, ownAhead, [commit], work)
      if (!('at' in taken)) return taken
      commit = taken.at
      await live.deps.store.noteExecution(live.id, { commit })
    }
    const workAhead = ahead.get(workRef)
    if (workAhead) {
      const taken = await mergeRemote(live, settings.workBranch, workAhead, [at], work)
      if (!('at' in taken)) return taken
      ;({ at } = taken)
    }
    if (await live.deps.hub.contains(live.project.id, at, commit)) continue
    const again = await integrate(live, commit, work)
    if (!('at' in again)) return again
    ;({ at } = again)
  }
  throw new Error('unreachable')
}

/**
 * Merges the newest state of the remote into the work branch before ours comes on top, so that others' published work
 * is verified with it. It does not wait for a remote that is away yet: the work is brought into the hub first.
 */
async function catchUp(live: LiveExecution, commit: string): Promise<void> {
  const { hub } = live.deps
  const { project, settings } = live
  const done = { project: project.id, execution: live.id, branch: settings.workBranch, commit }
  if (await hub.brought(done)) return
  try {
    await hub.fetch(project, live.stopper.signal)
    const lost = await hub.lostOnRemote(project.id, settings)
    if (lost > 0) await warn(live, lostOnRemoteText(settings.workBranch, lost))
    const by = await signatureOf(live)
    if (await hasMergedBase(live)) await hub.takeUpWork(project, settings.workBranch, by)
    else await hub.workTip(project, settings.workBranch, settings.baseBranch, by)
  } catch (error) {
    throwIfStopped(live.stopper)
    if (!(error instanceof HubError)) throw error
  }
}

/**
 * Whether the base branch was merged for this execution at its start, and that merge is not published yet: later
 * commits there are for the next execution, which proves them before it starts. One such merge each is enough to read.
 */
async function hasMergedBase(live: LiveExecution): Promise<boolean> {
  const { hub } = live.deps
  const { project, settings } = live
  const { baseCommit } = storedOf(live)
  const published = await hub.tip(project.id, `refs/remotes/origin/${settings.workBranch}`)
  if (baseCommit === null || published === null) return false
  const since = await hub.commits(project.id, published, baseCommit)
  return since.some(({ subject }) => subject === mergeOf(settings.baseBranch, settings.workBranch))
}

/**
 * The remote's present state. `arrived`: all of it is there, whoever pushed it; `ahead`: the remote's tips of branches
 * with commits that ours lack.
 */
async function compare(
  live: LiveExecution,
  refs: PinnedRef[],
): Promise<{ arrived: boolean; ahead: Map<string, string> }> {
  const { hub } = live.deps
  const { id } = live.project
  const ahead = new Map<string, string>()
  let arrived = true
  for (const { ref, commit } of refs) {
    const tip = await hub.tip(id, ref.replace(/^refs\/heads\//, 'refs/remotes/origin/'))
    if (tip !== null && (await hub.contains(id, tip, commit))) continue
    arrived = false
    if (tip !== null && !(await hub.contains(id, commit, tip))) ahead.set(ref, tip)
  }
  return { arrived, ahead }
}

async function fetch(live: LiveExecution): Promise<{ fetched: true } | { away: Away }> {
  try {
    await live.deps.hub.fetch(live.project, live.stopper.signal)
    return { fetched: true }
  } catch (error) {
    throwIfStopped(live.stopper)
    if (!(error instanceof HubError)) throw error
    return { away: { why: error.message, person: !passes.has(error.kind) } }
  }
}

/** One push; when the execution is stopped meanwhile, it has a little time to finish. */
async function push(live: LiveExecution, refs: PinnedRef[]): Promise<{ failed: Failed[] } | { away: Away }> {
  const { hub, clock } = live.deps
  throwIfStopped(live.stopper)
  const { signal } = live.stopper
  const enough = new AbortController()
  const done = new AbortController()
  const giveUp = () => void clock.sleep(PUSH_GRACE_MS, done.signal).then(() => done.signal.aborted || enough.abort())
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const { failed: troubles } = await hub.publish(live.project, refs, enough.signal)
    crashPoint('after-push')
    const decided = troubles.filter(({ kind }) => kind === 'moved' || kind === 'refused')
    if (troubles.length === 0 || decided.length > 0) return { failed: decided }
    return { away: { why: sentenceOf(troubles), person: troubles.some(({ kind }) => kind === 'auth') } }
  } finally {
    done.abort()
    signal.removeEventListener('abort', giveUp)
  }
}

async function published(live: LiveExecution, commit: string, refs: PinnedRef[]): Promise<ExecutionEnd> {
  const { workBranch, unverified } = live.settings
  const verified = unverified ? 'Not verified, because the project says "verify": []: merged' : 'Verified, merged'
  await live.deps.store.addEvent(live.id, null, 'published', { refs: refs.map(({ ref }) => ref) })
  const detail = `${verified} into ${workBranch} and published.${await hooksLeftOut(live)}`
  return { state: 'COMPLETED', commit, detail }
}

/** Names hooks that did not run: a deployment may depend on them. */
async function hooksLeftOut({ deps: { hub }, project, settings }: LiveExecution): Promise<string> {
  const local = await hub.local(project.source, settings.workBranch)
  if (local === null || local.hooks.length === 0) return ''
  return ` The hooks of ${project.source} did not run (${local.hooks.join(', ')}), because Beadloom runs nothing of a repository on this machine: do by hand what depends on them.`
}

function gaveUp(live: LiveExecution, why: string): ExecutionEnd {
  const where = ` Its branch is ${storedOf(live).branch}, already merged into ${live.settings.workBranch} in the hub.`
  return failed({ kind: 'publish_failed', detail: why.replace(/\.$/, '') }, where)
}

function refusedEnd(live: LiveExecution, failures: Failed[]): ExecutionEnd {
  return {
    state: 'FAILED',
    reason: 'push_conflict',
    detail: `The project's remote refused the branches: ${sentenceOf(failures)}. The work is on ${storedOf(live).branch} in the hub; run the bead again when that is fixed.`,
  }
}

const sentenceOf = (failures: Failed[]): string =>
  [...new Set(failures.map(({ why }) => why.replace(/\.$/, '')))].join('; ')
