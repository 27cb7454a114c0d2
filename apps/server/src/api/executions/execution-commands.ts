import type { AllowTests, QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Bead, Refused } from '@beadloom/core/records/bead.ts'
import { remindedOf } from '@beadloom/core/bead/ready.ts'
import { planWaits, refusalToQueue, whyUnusable } from '@beadloom/core/dispatch/refusal-to-queue.ts'
import type { QueueFacts, QueueRefusal } from '@beadloom/core/dispatch/refusal-to-queue.ts'
import { whyClaimed } from '@beadloom/core/dispatch/why-not.ts'
import { canCancel, isTerminal, type Execution } from '@beadloom/core/records/execution.ts'
import { newExecutionId, type BeadId, type ExecutionId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { describeProblems } from '@beadloom/core/plan/read-plan.ts'
import type { NextForBead, PlanningChoice } from '@beadloom/core/records/planning.ts'
import { notAllowed, refusedTests } from '@beadloom/core/execution/allowed.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { NewExecution } from '../../ports/store/executions.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import type { Executions } from '../../workflow/executions.ts'
import type { Scheduler } from '../../scheduler/scheduler.ts'
import type { Projects } from '../../app/projects/projects.ts'
import { settingsOf } from '../../app/stored/stored-settings.ts'
import { whyNotFrom } from '../../app/scheduling/from-phase.ts'
import { queueLimits } from '../../app/scheduling/queue-limits.ts'
import { noBead, noExecution, noProject } from '../../app/stored/refusals.ts'
import { asKind } from '../../app/scheduling/as-kind.ts'
import { beadsFor, nextFor } from '../../app/scheduling/next-for.ts'
import { partOf } from '../../app/scheduling/running-plans.ts'
import type { ServerViews } from '../../app/views/views.ts'

export type ExecutionCommandDeps = {
  store: Store
  projects: Projects
  views: ServerViews
  executions: Executions
  scheduler: Scheduler
  clock: Clock
  /** In [0, 1). */
  random: () => number
}

export type CancelDeps = {
  store: Store
  views: Pick<ServerViews, 'execution'>
  executions: Pick<Executions, 'cancel'>
}

/** `also`: writes that come with it once it is queued. If the bead cannot be queued, none of them stays. */
type QueueMore = { checksFirst?: boolean; also?: () => void }

export function queue(
  deps: ExecutionCommandDeps,
  project: ProjectId,
  id: BeadId,
  input: QueueExecution,
  once: Once,
  { checksFirst = false, also }: QueueMore = {},
): ExecutionView | Problem {
  const { store, views, scheduler, random } = deps
  if (once.before !== null) return viewOf(deps, once.before)
  const row = store.project(project)
  if (!row) return noProject(project)
  const bead = store.bead(project, id)
  if (!bead) return noBead(project, id)
  const settings = settingsOf(row)
  const unusable = whyUnusable(settings, id, input)
  const refusal = refusalToQueue(`the bead ${id}`, id, { ...factsOf(deps, row, bead, input), unusable })
  if (refusal !== null) return asProblem(refusal, unusable === refusal.text ? 400 : 409)
  const next: NextForBead | Problem = checksFirst
    ? { do: 'work', version: null }
    : input.kind === 'plan'
      ? { do: 'plan' }
      : nextOf(store, bead, settings, input.planning)
  if (next instanceof Problem) return next
  if (next.do === 'wait') return asProblem(planWaits(id, next.version))
  const { fromPhase: from } = input
  const notFrom = from === undefined ? null : whyNotFrom(store, { project, bead: id, version: versionOf(next), from })
  if (notFrom !== null) return new Problem(409, 'no_phase', notFrom)
  const wanted: NewExecution = {
    id: newExecutionId(random),
    project,
    bead: id,
    context: input.context ?? '',
    ...(checksFirst && { checksFirst }),
    ...(from !== undefined && { fromPhase: from }),
    ...queueLimits(settings, input),
    ...asKind(next, { bead, settings, chosen: input }),
  }
  const queued = once.make(() => {
    const made = store.queueExecution(wanted)
    if (!('refused' in made)) also?.()
    return made
  }, idOf)
  if ('refused' in queued) return new Problem(409, 'already_live', queued.refused)
  scheduler.nudge()
  return views.execution(queued.id) ?? noExecution(queued.id)
}

const asProblem = ({ code, text }: QueueRefusal, status: 400 | 409 = 409): Problem => new Problem(status, code, text)

function factsOf(
  { store, projects }: ExecutionCommandDeps,
  row: ProjectRow,
  bead: Bead,
  { answers }: QueueExecution,
): QueueFacts {
  const { project, id, status } = bead
  const tracker = projects.claimsIn(row)
  const claim = tracker === null ? null : whyClaimed(bead, tracker)
  return {
    status,
    reminderOf: remindedOf(bead, ({ dependsOn }) => store.bead(project, dependsOn as BeadId) ?? undefined)?.id ?? null,
    isStale: answers !== undefined && !isAsked(store, bead, answers),
    claim: claim === null || tracker === null ? null : { text: claim.text, tracker },
    inPlanOf: partOf(store, project, id),
  }
}

/** More reviews than anybody asks for while a question is open. */
const LOOKED_AT = 50

/** Whether this execution's question is the bead's open one: two tabs may answer, but a stale one never. */
function isAsked(store: Store, { project, id, status }: Bead, execution: string): boolean {
  if (status !== 'blocked') return false
  const newest = store.executions({ project, bead: id, limit: LOOKED_AT }).find(({ kind }) => kind !== 'review')
  return newest?.id === execution && newest.state === 'BLOCKED'
}

/** An epic's children become a version of its plan first. */
function nextOf(
  store: Store,
  bead: Bead,
  settings: ProjectSettings | null,
  chosen: PlanningChoice | undefined,
): NextForBead | Problem {
  const { project, id } = bead
  const ask = () => nextFor(bead, { settings, newest: store.plan(project, id), ...beadsFor(store, project), chosen })
  let found = ask()
  if ('add' in found) {
    const added = store.addPlan({ project, bead: id, source: 'tracker', plan: found.add })
    if ('refused' in added) return new Problem(409, 'changed', `${added.refused}.`)
    found = ask()
  }
  if ('problems' in found) return new Problem(409, 'plan_invalid', describeProblems(found.problems), found.problems)
  if ('add' in found) throw new Error(`the plan of ${id} was stored and is not known`)
  return found.next
}

/** Anybody with the token may do everything; the server knows no names. */
const NOBODY_NAMED = 'somebody with the access token'

const versionOf = (next: NextForBead): number | null => (next.do === 'plan' ? null : next.version)

const idOf = (done: Execution | Refused): string | null => ('refused' in done ? null : done.id)

const viewOf = ({ views }: Pick<CancelDeps, 'views'>, id: string): ExecutionView | Problem =>
  views.execution(id as ExecutionId) ?? noExecution(id)

export function cancel(deps: CancelDeps, id: ExecutionId, once: Once): ExecutionView | Problem {
  const { store, executions } = deps
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (once.before !== null && isTerminal(execution.state)) return viewOf(deps, id)
  if (!canCancel(execution.state))
    return new Problem(409, 'not_now', `the execution has already ended (${execution.state})`)
  const asked = once.make(() => store.requestCancel(id), idOf)
  if ('refused' in asked) return new Problem(409, 'not_now', asked.refused)
  executions.cancel(id)
  return viewOf(deps, id)
}

/**
 * Allows the weaker tests for which its newest check refused it. If it has ended, queues an execution that checks the
 * same work again, and answers with that.
 */
export function allowTests(
  deps: ExecutionCommandDeps,
  id: ExecutionId,
  { why = '', by = NOBODY_NAMED }: AllowTests,
  once: Once,
): ExecutionView | Problem {
  const { store } = deps
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (once.before !== null) return viewOf(deps, once.before)
  const { project, bead } = execution
  const refused = refusedTests(store.verifications(id))
  if (refused === null)
    return new Problem(409, 'not_now', `the last checks of ${id} refused nothing that a person may allow`)
  const known = store.testsAllowed(project, bead)
  const allow = () => {
    if (notAllowed(refused.findings, known).length > 0)
      store.allowTests(id, { commit: refused.commit, findings: refused.findings, why, by })
  }
  // While an execution lives, its next check knows; a bead that runs again has checks of its own.
  const isLive = store
    .executions({ project, bead, limit: 5 })
    .some(({ state, kind }) => kind === 'work' && !isTerminal(state))
  if (isLive) {
    allow()
    return viewOf(deps, id)
  }
  return queue(deps, project, bead, {}, once, { checksFirst: true, also: allow })
}

/** Gives back the slot of an execution that cannot be stopped. */
export function abandon(deps: ExecutionCommandDeps, id: ExecutionId): ExecutionView | Problem {
  if (!deps.store.execution(id)) return noExecution(id)
  if (!deps.executions.abandon(id))
    return new Problem(409, 'not_now', `nothing is in the way of stopping ${id}; cancel it to stop it`)
  return viewOf(deps, id)
}

/** Starts now the retry that it waits for. */
export function retryNow(deps: ExecutionCommandDeps, id: ExecutionId, once: Once): ExecutionView | Problem {
  const { store, executions, scheduler, clock } = deps
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (once.before !== null) return viewOf(deps, id)
  const retry = waitOfKind(execution.waits, 'retry')
  if (retry === null)
    return new Problem(409, 'not_now', `the execution ${id} is not waiting for a retry (${execution.state})`)
  if (execution.cancelRequestedAt !== null)
    return new Problem(409, 'not_now', `the execution ${id} is already being stopped`)
  const now = clock.now()
  if (retry.at > now) {
    once.make(
      () => {
        store.noteExecution(id, { retryAt: now }) // so that a server that dies now does not wait either
        store.addEvent(id, null, 'retry_now', { retry: execution.retryAttempt, early: retry.at - now })
      },
      () => id,
    )
  }
  executions.retryNow(id)
  scheduler.nudge()
  return viewOf(deps, id)
}
