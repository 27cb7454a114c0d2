import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Subtask } from '@beadloom/core/records/plan.ts'
import { isRetryable } from '@beadloom/core/records/failure/failure.ts'
import { failuresOf, nextStep, nextStepAfter, type NextStep } from '@beadloom/core/execution/next-step.ts'
import { sameFailureTwice } from '@beadloom/core/execution/standstill.ts'
import { attemptsAfterPhases } from '@beadloom/core/plan/sessions-by-plan.ts'
import type { Remade } from '@beadloom/core/execution/remake-locks.ts'
import { endOfExit, endOfSession } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import { integrateAndPublish } from '../../publish/publish.ts'
import type { ProjectEnvironments } from '../../sandbox/project-environment.ts'
import { endedSession } from '../../sandbox/ended-session.ts'
import type { SessionFacts } from '../../sandbox/session-plan.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import { noteRedGreen } from '../../verify/red-green.ts'
import { verify } from '../../verify/verify.ts'
import type { Workflow } from '../workflow.ts'
import { askPerson } from '../questions.ts'
import { checksAt } from './found-checks.ts'
import { askToJoin } from './joining.ts'
import { remakeLocks } from './remake-locks.ts'
import { hasWork, isThereAlready, noteNothingDone } from './own-work.ts'
import { Preparation } from './preparation.ts'
import { endOfAttempts, endOfStandstill, workFacts } from './work-ends.ts'
import { adoptedPlan, sessionPlan } from './work-session.ts'

/** The attempts of a plan's phases, and the plan's subtasks. */
export type AfterPhases = { attempts: number; subtasks: readonly Subtask[] }

/**
 * Up to `maxAttempts` fresh sessions on the kept workspace, each followed by the project's own checks in a clean
 * container, until one is verified and published.
 */
export class WorkWorkflow implements Workflow<NextStep> {
  readonly #live: LiveExecution
  readonly #workspace: Workspace
  readonly #preparation: Preparation
  readonly #phases: AfterPhases | null

  /** @param phases of the plan that it has been done by; after them the work begins with its checks */
  constructor(
    live: LiveExecution,
    workspace: Workspace,
    environments: ProjectEnvironments,
    phases: AfterPhases | null = null,
  ) {
    this.#live = live
    this.#workspace = workspace
    this.#preparation = new Preparation(live, environments)
    this.#phases = phases
  }

  next(): NextStep {
    const { store } = this.#live.deps
    const { id, maxAttempts, maxSessions, checksFirst = false } = storedOf(this.#live)
    const answered = store.answeredSessions(id)
    const [sessions, verifications] = [store.sessions(id), store.verifications(id)]
    const unread = store.waitingMessages(id).length
    const history = { maxAttempts, maxSessions, answered, checksFirst, sessions, verifications, unread }
    // Phases that were all left out or taken over have done nothing here.
    if (this.#phases === null || this.#phases.attempts === 0) return nextStep(history)
    const { attempts, subtasks } = this.#phases
    const { limits, maxAttempts: own } = this.#live.settings
    const most = attemptsAfterPhases(subtasks, { maxAttempts: own, maxSessions: limits.maxSessions }, maxAttempts)
    return nextStepAfter(history, attempts, most)
  }

  async take(step: NextStep): Promise<ExecutionEnd | null> {
    const live = this.#live
    switch (step.do) {
      case 'work':
        return this.#work(step)
      case 'adopt':
        return this.#afterSession(await this.#workspace.adopt(await adoptedPlan(live, step)))
      case 'verify':
        return this.#check(step.attempt)
      case 'publish':
        return this.#publish(step)
      case 'end_as_session':
        return this.#endAsSession(step.session)
      case 'end':
        return endOfAttempts(workFacts(live), step.because)
    }
  }

  async #work({ attempt, again, told }: Extract<NextStep, { do: 'work' }>): Promise<ExecutionEnd | null> {
    const live = this.#live
    const { store, log } = live.deps
    const { id } = live
    const verifications = store.verifications(id)
    await store.openMessages(id)
    if (attempt > 1 && !again && !told) {
      if (await standsStill(live, attempt - 1)) return this.#endOfStandstill(attempt - 1)
      const reason = failuresOf(verifications, attempt - 1)[0]?.type ?? 'unknown'
      if (storedOf(live).attempt < attempt) {
        await store.addRetry(id, 'verification', reason)
        log.info({ execution: id, attempt, reason }, 'Starting retry attempt')
      }
    }
    await this.#preparation.open(this.#workspace) // before the attempt counts: without a start it is none
    // Before it starts, so that a crash cannot give it away again; all writes until then wait for the disk together.
    const { attempt: known, maxAttempts, maxSessions } = storedOf(live)
    const isMore = told && known < attempt
    // A question to a person has made room for the session that has the answer.
    const last = store.sessions(id).findLast(({ kind }) => kind === 'work')
    const room = last && store.askedSessions(id).has(last.id) ? 0 : 1
    const more = isMore ? { maxAttempts: maxAttempts + 1, maxSessions: maxSessions + room } : {}
    const noted = store.noteExecution(id, { attempt, ...more })
    const plan = await sessionPlan(live, attempt, this.#workspace, await this.#preparation.checkedOut())
    await noted
    return this.#afterSession(await this.#workspace.session(plan))
  }

  async #endOfStandstill(attempt: number): Promise<ExecutionEnd> {
    const live = this.#live
    const end = endOfStandstill(workFacts(live), attempt)
    if (end.state === 'FAILED' && end.kind === 'no_progress')
      await live.deps.store.flagExecution(live.id, {
        kind: 'no_progress',
        text: `attempt ${attempt} failed like the one before and changed nothing`,
      })
    return end
  }

  #afterSession(facts: SessionFacts): ExecutionEnd | null {
    const { id, deps, settings, stopper } = this.#live
    throwIfStopped(stopper)
    // A message that nobody has read yet may be the answer, or a person is asked first.
    if (facts.blocked !== null) return null
    if (facts.outcome === 'infra_error') return endOfExit(facts.exit, settings.limits.memoryBytes, facts.reason)
    if (facts.outcome === 'success') return null
    const { branch, retry, retryAttempt } = storedOf(this.#live)
    const end = endOfSession(settings, branch, facts)
    const mayRetry = end.state === 'FAILED' && isRetryable(end.kind) && retryAttempt < retry.retryCount
    if (!mayRetry) deps.log.error({ execution: id, outcome: facts.outcome }, 'Session failed, not retrying')
    return end
  }

  async #endAsSession(session: SessionId): Promise<ExecutionEnd | null> {
    const live = this.#live
    const ended = endedSession(live, session)
    const asks = ended.outcome === 'blocked' && live.settings.onBlocked === 'wait'
    if (asks && (await askPerson(live, [{ session, question: ended.detail }]))) return null
    return endOfSession(live.settings, storedOf(live).branch, ended)
  }

  async #check(attempt: number): Promise<ExecutionEnd | null> {
    const live = this.#live
    const { hub } = live.deps
    const { project } = live
    const { environment, tip: workTip } = await this.#preparation.ready()
    const { branch, attempt: known } = storedOf(live)
    if (known < attempt) await live.deps.store.noteExecution(live.id, { attempt }) // it began with its checks
    const tip = await hub.tip(project.id, `refs/heads/${branch}`)
    if (tip && ((await hasWork(live, tip, workTip)) || (await isThereAlready(live, workTip)))) {
      const checks = await checksAt(live, tip, workTip.commit)
      await verify(
        live,
        await this.#preparation.environmentFor(checks, tip, environment),
        tip,
        { attempt, purpose: 'attempt' },
        checks,
      )
      return null
    }
    return noteNothingDone(live, attempt, tip ?? '')
  }

  async #publish({ attempt, commit }: Extract<NextStep, { do: 'publish' }>): Promise<ExecutionEnd | null> {
    const live = this.#live
    const { store } = live.deps
    if (!(await store.closeMessages(live.id))) return null // its agent has to read them first
    await store.noteExecution(live.id, { commit })
    const environment = async () => (await this.#preparation.ready()).environment
    await live.watchdog.whileOursToWait(() => noteRedGreen(live, { attempt, commit, environment }))
    // Nothing is prepared before there is something to verify: after a restart only a push may be left to do.
    const verifyMerge = async (candidate: string) => {
      const { environment, tip } = await this.#preparation.ready()
      const checks = { ...(await checksAt(live, candidate, tip.commit)), judges: [] } // the judges have read this work
      const prepared = await this.#preparation.environmentFor(checks, candidate, environment)
      return verify(live, prepared, candidate, { attempt, purpose: 'merge' }, checks)
    }
    const remake = async (candidate: string, locks: readonly Remade[]) =>
      remakeLocks(live, (await this.#preparation.ready()).environment, candidate, locks)
    const merging = { verify: verifyMerge, remakeLocks: remake }
    // Its work is in the hub: while the remote is away, the slot is free without the sandbox.
    const whileAway = () => this.#workspace.closeIfSaved()
    const result = await live.watchdog.whileOursToWait(() => integrateAndPublish(live, commit, merging, whileAway))
    if ('end' in result) return result.end
    if ('conflict' in result) {
      await askToJoin(live, attempt, commit, result.conflict)
      return null
    }
    const { branch } = storedOf(live)
    const notice = `Your work was brought together with other work of ${live.settings.workBranch} on the branch ${branch}, and together they fail. Before anything else run 'git merge origin/${branch}'.`
    await store.noteExecution(live.id, { notice })
    return null
  }
}

/** Whether an attempt failed like the one before, with nothing changed in between. */
async function standsStill({ id, deps, project }: LiveExecution, attempt: number): Promise<boolean> {
  const { store } = deps
  const readers = new Set(
    store.messages(id).flatMap(({ delivered }) => (delivered?.through === 'prompt' ? [delivered.session] : [])),
  )
  const told = new Set(store.sessions(id).flatMap((one) => (readers.has(one.id) ? [one.attempt] : [])))
  const twice = sameFailureTwice(store.verifications(id), attempt, told)
  if (twice === null) return false
  return twice.from === twice.to || (await deps.hub.diff(project.id, twice.from, twice.to)).length === 0
}
