import { assertNever } from '@beadloom/core/assert-never.ts'
import { durationText } from '@beadloom/core/duration.ts'
import type { ExecutionEnd } from '@beadloom/core/execution.ts'
import { HubError, type WorkTip } from '../ports/hub.ts'
import { prepareBranch } from './bead-branch.ts'
import { closeContainer, openContainer } from './containers.ts'
import { EarlyContainer, WORK } from './early-container.ts'
import { endOfError, failed } from './failed.ts'
import type { ProjectImages } from './project-image.ts'
import { integrateAndPublish } from './publish.ts'
import type { RunContext } from './run-context.ts'
import { sentence } from './run-session.ts'
import { saveWork } from './save-work.ts'
import { throwIfStopped, type StopReason } from './stop.ts'
import { workUntilVerified } from './work-attempts.ts'

/** From RUNNING to its end. Never rejects: whatever goes wrong is an end with a reason and a sentence. */
export async function runExecution(run: RunContext, images: ProjectImages): Promise<ExecutionEnd> {
  const done = new AbortController()
  const watching = run.watchdog.watch(run.stopper, done.signal)
  try {
    return await work(run, images)
  } catch (error) {
    return endOf(run, error)
  } finally {
    done.abort()
    await watching
  }
}

async function work(run: RunContext, images: ProjectImages): Promise<ExecutionEnd> {
  const { container, image, tip } = await run.watchdog.whileOursToWait(() => begin(run, images))
  let settled = false
  try {
    const result = await workUntilVerified(run, container, image, tip)
    settled = true
    if ('end' in result) return result.end
    return await run.watchdog.whileOursToWait(() => integrateAndPublish(run, result.verified))
  } finally {
    // A session that ended by itself has put its leftovers on a ref; one that was stopped or lost has not.
    if (!settled && !run.stopper.detached) run.savedRef = await saveWork(run, container)
    if (!run.stopper.detached) await closeContainer(run, container)
  }
}

/** The agent's container, with everything that its first session needs to know. */
async function begin(run: RunContext, images: ProjectImages) {
  const early = new EarlyContainer(run, images.latest(run.project.id))
  const prepared = await prepare(run, images).catch(async (error: unknown) => {
    await early.discard()
    throw error
  })
  const { image } = prepared
  const container =
    (await early.take(image)) ?? (await openContainer(run, { ...WORK, image, network: run.settings.network }))
  return { ...prepared, container }
}

/** Everything before the agent: the newest state of the remote, the branch, the image. */
async function prepare(run: RunContext, images: ProjectImages): Promise<{ image: string; tip: WorkTip }> {
  const { hub, store } = run.deps
  const { execution, project, settings } = run
  const warn = (text: string) => store.addEvent(execution.id, null, 'warning', { text })
  await hub.fetch(project, run.stopper.signal).catch(async (error: unknown) => {
    if (!(error instanceof HubError) || !(await hub.current(project))) throw error
    warn(`Going on with what is here: ${error.message}`) // the remote may be away; publishing will say so if it stays away
  })
  throwIfStopped(run.stopper)
  const tip = await hub.workTip(project, settings.workBranch, settings.baseBranch)
  if (tip.behind) warn(tip.behind)
  const { branch, commit: baseCommit, notice } = await prepareBranch(run, tip.commit)
  run.notice = notice
  run.execution = { ...execution, branch, baseCommit }
  store.noteExecution(execution.id, { branch, baseCommit })
  const image = await images.ensure(run, baseCommit)
  throwIfStopped(run.stopper)
  return { image, tip }
}

function endOf(run: RunContext, error: unknown): ExecutionEnd {
  const stopped = run.stopper.reason
  if (stopped) return endOfStop(run, stopped)
  const known = endOfError(error)
  if (known) return known
  run.deps.log.error({ error, execution: run.execution.id }, 'an execution failed in a way nobody foresaw')
  return { state: 'FAILED', reason: 'infra_error', detail: `internal error: ${sentence(error)}` }
}

function keptText({ merged, savedRef, settings }: RunContext): string {
  if (merged)
    return ` Its work was verified and is in ${settings.workBranch} in the hub already: it is published with the next bead, or when this one runs again.`
  return savedRef ? ` What it left is saved on ${savedRef}.` : ''
}

function endOfStop(run: RunContext, stopped: StopReason): ExecutionEnd {
  const { limits } = run.settings
  const kept = keptText(run)
  switch (stopped.stop) {
    case 'cancelled':
      return { state: 'CANCELLED', detail: `Cancelled by a person.${kept}` }
    case 'budget':
      return failed({ kind: 'budget_exhausted', tokens: limits.maxTokens ?? 0 }, kept)
    case 'detach':
      return failed({ kind: 'server_restarted' }, kept)
    case 'timeout': {
      const { reason } = stopped
      const limit = durationText(reason === 'silence' ? limits.inactivityTimeoutMs : limits.executionTimeoutMs)
      const what = reason === 'silence' ? `Nothing came from it for ${limit}` : `It ran for ${limit}, the limit`
      return {
        state: 'TIMEOUT',
        reason,
        detail: `${what} (attempt ${run.execution.attempt} of ${run.settings.maxAttempts}).${kept}`,
      }
    }
    default:
      return assertNever(stopped)
  }
}
