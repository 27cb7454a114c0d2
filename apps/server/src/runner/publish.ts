import type { ExecutionEnd } from '@beadloom/core/execution/execution.ts'
import { HubError, type HubErrorKind, type PinnedRef, type Published } from '../ports/hub.ts'
import { crashPoint } from '../process/crash-point.ts'
import { failed } from './failed.ts'
import { integrate, takeUp, type NotIntegrated, type VerifyMerge } from './integrate.ts'
import { type Away, Patience } from './patience.ts'
import type { RunContext } from './run-context.ts'
import { throwIfStopped } from './stop.ts'

/** A push that is on its way when somebody cancels is nearly always done within this, and then the bead is done too. */
const PUSH_GRACE_MS = 5_000

/** What may be better without anybody's hand; `missing` is a disk that is not mounted, or a rename. */
const passes: ReadonlySet<HubErrorKind> = new Set(['unreachable', 'timed-out', 'git-failed', 'missing'])

type Failed = Published['failed'][number]

/**
 * Brings verified work into the work branch and publishes both branches, never by force. What came to the remote
 * meanwhile is taken up once, and verified together with the work. May be called again from any point of it: what is
 * done is found done.
 */
export async function integrateAndPublish(
  run: RunContext,
  commit: string,
  verifyMerge: VerifyMerge,
): Promise<NotIntegrated> {
  const patience = new Patience(run)
  try {
    return await publishRounds(run, commit, verifyMerge, patience)
  } finally {
    if (!run.stopper.detached) patience.settle()
  }
}

async function publishRounds(
  run: RunContext,
  verified: string,
  verifyMerge: VerifyMerge,
  patience: Patience,
): Promise<NotIntegrated> {
  const { settings, execution } = run
  const work = `refs/heads/${settings.workBranch}`
  const own = `refs/heads/${execution.branch}`
  let commit = verified
  await catchUp(run, commit)
  const first = await integrate(run, commit, verifyMerge)
  if (!('at' in first)) return first
  run.merged = true
  let { at } = first
  for (const lastTry of [false, true]) {
    const refs = [
      { ref: own, commit },
      { ref: work, commit: at },
    ]
    const answer = await patience.until(() => push(run, refs))
    if ('gaveUp' in answer) return { end: gaveUp(run, answer.gaveUp) }
    const refused = answer.failed.filter(({ kind }) => kind === 'refused')
    if (refused.length > 0) return { end: refusedEnd(run, refused) }
    if (answer.failed.length === 0) return { end: published(run, commit, refs) }

    const fetched = await patience.until(() => fetch(run))
    if ('gaveUp' in fetched) return { end: gaveUp(run, fetched.gaveUp) }
    const { arrived, ahead } = await compare(run, refs)
    if (arrived) return { end: published(run, commit, refs) }
    if (lastTry) return { end: refusedEnd(run, answer.failed) }

    const ownAhead = ahead.get(own)
    if (ownAhead) {
      const taken = await takeUp(run, execution.branch, ownAhead, [commit], verifyMerge)
      if (!('at' in taken)) return taken
      commit = taken.at
      run.deps.store.noteExecution(execution.id, { commit })
      run.execution = { ...run.execution, commit }
    }
    const workAhead = ahead.get(work)
    if (workAhead) {
      const taken = await takeUp(run, settings.workBranch, workAhead, [at], verifyMerge)
      if (!('at' in taken)) return taken
      ;({ at } = taken)
    }
    if (await run.deps.hub.contains(run.project.id, at, commit)) continue
    const again = await integrate(run, commit, verifyMerge)
    if (!('at' in again)) return again
    ;({ at } = again)
  }
  throw new Error('unreachable')
}

/**
 * The newest state of the remote is in the work branch before ours comes on top, so that what others published meanwhile
 * is verified with it. A remote that is away is not waited for yet: the work is brought into the hub first.
 */
async function catchUp(run: RunContext, commit: string): Promise<void> {
  const { hub } = run.deps
  const { project, execution, settings } = run
  const done = { project: project.id, execution: execution.id, branch: settings.workBranch, commit }
  if (await hub.brought(done)) return
  try {
    await hub.fetch(project, run.stopper.signal)
    await hub.workTip(project, settings.workBranch, settings.baseBranch)
  } catch (error) {
    throwIfStopped(run.stopper)
    if (!(error instanceof HubError)) throw error
  }
}

/**
 * What the remote holds by now. `arrived`: all of it, whoever pushed it; `ahead`: its tips of branches that have got
 * something which ours do not hold.
 */
async function compare(run: RunContext, refs: PinnedRef[]): Promise<{ arrived: boolean; ahead: Map<string, string> }> {
  const { hub } = run.deps
  const { id } = run.project
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

async function fetch(run: RunContext): Promise<{ fetched: true } | { away: Away }> {
  try {
    await run.deps.hub.fetch(run.project, run.stopper.signal)
    return { fetched: true }
  } catch (error) {
    throwIfStopped(run.stopper)
    if (!(error instanceof HubError)) throw error
    return { away: { why: error.message, person: !passes.has(error.kind) } }
  }
}

/** One push; when the execution is stopped meanwhile, it has a little time to finish. */
async function push(run: RunContext, refs: PinnedRef[]): Promise<{ failed: Failed[] } | { away: Away }> {
  const { hub, clock } = run.deps
  throwIfStopped(run.stopper)
  const { signal } = run.stopper
  const enough = new AbortController()
  const done = new AbortController()
  const giveUp = () => void clock.sleep(PUSH_GRACE_MS, done.signal).then(() => done.signal.aborted || enough.abort())
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const { failed: troubles } = await hub.publish(run.project, refs, enough.signal)
    crashPoint('after-push')
    const decided = troubles.filter(({ kind }) => kind === 'moved' || kind === 'refused')
    if (troubles.length === 0 || decided.length > 0) return { failed: decided }
    return { away: { why: sentenceOf(troubles), person: troubles.some(({ kind }) => kind === 'auth') } }
  } finally {
    done.abort()
    signal.removeEventListener('abort', giveUp)
  }
}

function published(run: RunContext, commit: string, refs: PinnedRef[]): ExecutionEnd {
  const { workBranch } = run.settings
  run.deps.store.addEvent(run.execution.id, null, 'published', { refs: refs.map(({ ref }) => ref) })
  return { state: 'COMPLETED', commit, detail: `Verified, merged into ${workBranch} and published.` }
}

function gaveUp({ execution, settings }: RunContext, why: string): ExecutionEnd {
  const where = ` It waits on ${execution.branch}, merged into ${settings.workBranch}.`
  return failed({ kind: 'publish_failed', detail: why.replace(/\.$/, '') }, where)
}

function refusedEnd({ execution }: RunContext, failures: Failed[]): ExecutionEnd {
  return {
    state: 'FAILED',
    reason: 'push_conflict',
    detail: `The project's remote refused the branches: ${sentenceOf(failures)}. The work is on ${execution.branch} in the hub; run the bead again when that is settled.`,
  }
}

const sentenceOf = (failures: Failed[]): string =>
  [...new Set(failures.map(({ why }) => why.replace(/\.$/, '')))].join('; ')
