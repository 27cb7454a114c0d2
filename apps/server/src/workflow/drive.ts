import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { Failure } from '@beadloom/core/records/failure/failure.ts'
import { keptTakes } from '@beadloom/core/execution/left-text.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import { inTime } from '../process/within.ts'
import { endOfError } from '../execution/ends.ts'
import { whereCommitted, whereLeft } from '../execution/left-work.ts'
import { storedOf, timeLimitOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { ReadingStopped } from '../ports/aside.ts'
import { HubError } from '../ports/hub.ts'
import { holdStep } from '../holds/hold-step.ts'
import { isPaused } from '../holds/pause-hold.ts'
import { isMerged } from '../publish/integrate.ts'
import type { ProjectEnvironments } from '../sandbox/project-environment.ts'
import type { LeftSandbox } from '../sandbox/reattach.ts'
import { Workspace } from '../sandbox/workspace.ts'
import { kinds } from './kinds.ts'
import { AskingSandboxes } from './phases/asking-sandboxes.ts'
import { notDone, tellQuestions } from './phases/failed-subtasks.ts'
import { lostBefore, retried, untilDockerAnswers, waitForRetry } from './retry-policy.ts'
import { endOfStop, withMore } from './stopped-end.ts'
import type { Workflow } from './workflow.ts'

/** An earlier server's leftovers of an execution: its agent's sandbox, and those of agents that worked beside it. */
export type LeftBehind = LeftSandbox & { others?: ReadonlyMap<SessionId, LeftSandbox> }

/**
 * Takes an execution from RUNNING to its end, in as many tries as its policy allows. Never rejects: every failure is an
 * end with a reason and a sentence.
 */
export async function drive(
  live: LiveExecution,
  environments: ProjectEnvironments,
  left?: LeftBehind,
): Promise<ExecutionEnd> {
  const done = new AbortController()
  const watching = live.watchdog.watch(live.stopper, done.signal)
  try {
    return await allTries(live, environments, left)
  } finally {
    done.abort()
    await watching
  }
}

async function allTries(
  live: LiveExecution,
  environments: ProjectEnvironments,
  left?: LeftBehind,
): Promise<ExecutionEnd> {
  const kind = kinds[storedOf(live).kind]
  const workspace = new Workspace(live, kind.workspace(live.settings))
  const asking = new AskingSandboxes()
  if (left) workspace.reattach(left, live.deps.store.sessions(live.id))
  for (let reattached = left !== undefined; ; reattached = false) {
    const result = await oneTry(
      live,
      () =>
        kind.begin(live, { main: workspace, asking, others: (reattached && left?.others) || new Map() }, environments),
      reattached,
    ).then(
      (end) => ({ end }),
      (error: unknown) => ({ error }),
    )
    const worded = (end: ExecutionEnd) => kind.worded(storedOf(live), end)
    const known = 'end' in result ? result.end : endOfError(result.error)
    const decided = known && (await retried(live, worded(known)))
    if (decided === 'again') {
      await live.watchdog.whileOursToWait(() => untilDockerAnswers(live))
      await workspace.stopForRetry()
      await asking.stopForRetry()
      continue
    }
    await asking.leave(live)
    const lost = await workspace.leave()
    const end = decided ?? worded('error' in result ? endOf(live, result.error) : result.end)
    if (end.state !== 'COMPLETED' && end.state !== 'CANCELLED' && !live.stopper.detached) await tellQuestions(live)
    return end.state === 'COMPLETED' || live.stopper.detached
      ? end
      : withMore(end, await whereItIs(live, isOf(end, 'container_lost') ? null : lost, isOf(end, 'no_space')))
  }
}

/** @param reattached it was running when this server started: a begun session continues before anything is decided */
async function oneTry(live: LiveExecution, begin: () => Workflow, reattached: boolean): Promise<ExecutionEnd> {
  if (!reattached) throwIfStopped(live.stopper)
  const undecided = reattached && !live.stopper.signal.aborted ? lostBefore(live) : null
  if (undecided) return undecided
  await live.watchdog.whileOursToWait(() => waitForRetry(live))
  return toItsEnd(live, begin())
}

async function toItsEnd(live: LiveExecution, workflow: Workflow): Promise<ExecutionEnd> {
  for (;;) {
    const step = workflow.next()
    if (step.do !== 'adopt') {
      throwIfStopped(live.stopper)
      if (isPaused(live)) {
        await holdStep(live)
        continue // a person may have changed something meanwhile
      }
    }
    const end = await workflow.take(step)
    if (end) return end
  }
}

const isOf = (end: ExecutionEnd, kind: Failure['kind']): boolean => end.state === 'FAILED' && end.kind === kind

function endOf(live: LiveExecution, error: unknown): ExecutionEnd {
  const stopped = live.stopper.reason
  if (stopped) {
    const { limits } = live.settings
    const now = { ...limits, executionTimeoutMs: timeLimitOf(live) }
    const facts = { execution: storedOf(live), limits: now, notDone: notDone(live) }
    return withMore(endOfStop(stopped, facts), whatHangs(error))
  }
  const known = endOfError(error)
  if (known) return known
  // The next server decides about it.
  if (!(error instanceof ReadingStopped && live.stopper.detached))
    live.deps.log.error({ error, execution: live.id }, 'an execution failed because of a bug')
  return { state: 'FAILED', reason: 'infra_error', detail: `internal error: ${messageOf(error)}` }
}

/** Names a git that the stop did not wait for. */
const whatHangs = (error: unknown): string =>
  error instanceof HubError && error.kind === 'hangs' ? ` ${capital(error.message)}.` : ''

/** A git that nothing can end, as on a frozen disk, keeps no execution from its end. */
const LONGEST_LOOK_MS = 5_000

/** The place of the work of an execution that did not complete, for a person. */
async function whereItIs(live: LiveExecution, lost: string | null, isFull: boolean): Promise<string> {
  const { clock, log } = live.deps
  const orNothing = async (asked: Promise<string>): Promise<string> => {
    const done = new AbortController()
    const answered = asked.catch((error: unknown) => {
      log.warn({ error, execution: live.id }, 'where the work of an execution is cannot be told')
      return ''
    })
    try {
      return await Promise.race([answered, clock.sleep(LONGEST_LOOK_MS, done.signal).then(() => '')])
    } finally {
      done.abort(inTime)
    }
  }
  // The end of failed work says how to continue with it; the end of a stopped execution only where it is.
  const isCommitted = live.stopper.reason !== null && !isMerged(live)
  const { workBranch } = live.settings
  const committed = isCommitted ? await orNothing(whereCommitted(live.deps, storedOf(live), workBranch)) : ''
  const left = await orNothing(whereLeft(live.deps, storedOf(live)))
  return `${mergedText(live)}${committed}${left}${lost === null ? '' : ` ${lost}`}${isFull ? othersKept(live) : ''}`
}

/** Other executions' kept containers, which fill the disk until a person decides. */
const othersKept = ({ id, deps: { store } }: LiveExecution): string =>
  keptTakes(store.keptContainers().filter(({ owner }) => owner !== id))

function mergedText(live: LiveExecution): string {
  if (isMerged(live))
    return ` Its work is verified and already merged into ${live.settings.workBranch} in the hub. It will be published with the next bead, or when this one runs again.`
  return ''
}
