import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { NextStep } from '@beadloom/core/execution/next-step.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { continued, phaseStep, subtasksToStart, type PhaseStep, type Round } from '@beadloom/core/plan/phase-step.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { blockedBy, endOfExit } from '../../execution/ends.ts'
import { storedOf, type LiveExecution } from '../../execution/live-execution.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import { crashPoint } from '../../process/crash-point.ts'
import { wishOf } from '../../sandbox/environment-wish.ts'
import type { ProjectEnvironments } from '../../sandbox/project-environment.ts'
import type { LeftSandbox } from '../../sandbox/reattach.ts'
import type { SessionFacts } from '../../sandbox/session-plan.ts'
import { Workspace } from '../../sandbox/workspace.ts'
import { verify } from '../../verify/verify.ts'
import type { Sandboxes, Workflow } from '../workflow.ts'
import { checksAt } from '../work/found-checks.ts'
import { Preparation } from '../work/preparation.ts'
import { WorkWorkflow } from '../work/work-workflow.ts'
import { InTurn } from './in-turn.ts'
import { skipClosed, tellChanged } from './children.ts'
import { isForPerson, told, withOthers } from './failed-subtasks.ts'
import { heardOf, readInPrompt } from '../questions.ts'
import { adoptedInPhase, askInPhase, continueInPhase } from './asking-in-phase.ts'
import { ownSandbox, reattached, type AskingSandboxes } from './asking-sandboxes.ts'
import { beginRound } from './begin-round.ts'
import { endAsSession, endOf } from './phase-ends.ts'
import { historyOf, newestIn, planOf } from './phase-history.ts'
import { asReviewer, beginInPhase, reviewPlan, workPlan, type InPhase } from './phase-sessions.ts'
import { countedInPhase } from './phase-tests.ts'
import { inParallel } from './subtask-pool.ts'
import { waitAfterPhase } from './wait-after-phase.ts'
import { whereToBegin } from './phase-start.ts'
import { approve, noteStrays, skipPhase, treeOf } from './phase-trees.ts'

/** `rest`: the step after the last phase, as in any work. */
type Step = Exclude<PhaseStep, { do: 'finish' }> | { do: 'finish' | 'adopt'; rest: NextStep }

/** Work by a plan: each phase with its subtasks, its checks, its review and its commit; then the end of any work. */
export class PhasedWorkflow implements Workflow<Step> {
  readonly #live: LiveExecution
  readonly #workspace: Workspace
  readonly #environments: ProjectEnvironments
  readonly #preparation: Preparation
  readonly #others: ReadonlyMap<SessionId, LeftSandbox>
  readonly #inTurn = new InTurn()
  readonly #asking: AskingSandboxes
  #rest: WorkWorkflow | null = null

  constructor(live: LiveExecution, { main, asking, others }: Sandboxes, environments: ProjectEnvironments) {
    this.#live = live
    this.#workspace = main
    this.#environments = environments
    this.#preparation = new Preparation(live, environments)
    this.#asking = asking
    this.#others = others
    asking.takeOver(live, historyOf(live).sessions, others)
  }

  next(): Step {
    const step = phaseStep(historyOf(this.#live))
    if (step.do !== 'finish') return step
    this.#rest ??= new WorkWorkflow(this.#live, this.#workspace, this.#environments, {
      attempts: step.after,
      subtasks: planOf(this.#live).subtasks,
    })
    const rest = this.#rest.next()
    return { do: rest.do === 'adopt' ? 'adopt' : 'finish', rest }
  }

  async take(step: Step): Promise<ExecutionEnd | null> {
    const live = this.#live
    // Full verification, merge and publishing, as for any work; failures are then mended on the branch.
    if ('rest' in step) {
      await tellChanged(this.#live, historyOf(this.#live))
      return this.#rest?.take(step.rest) ?? null
    }
    switch (step.do) {
      case 'wait':
        await this.#workspace.close()
        await waitAfterPhase(live, step.after)
        return null
      case 'begin_phase':
        return this.#beginPhase(step.phase)
      case 'skip_phase':
        await skipPhase(live, historyOf(live), step.phase)
        return null
      case 'begin_round':
        await beginRound(live, step)
        return null
      case 'adopt':
        return this.#adopt(step)
      case 'subtasks':
        await this.#workspace.leave() // an earlier session that broke may have left its work here
        return this.#together(step.round)
      case 'fix':
        return this.#work({ round: step.round, role: 'fix', subtask: '' }, this.#workspace)
      case 'ask_person':
        return askInPhase(live, step)
      case 'join':
        return this.#join(step.round)
      case 'verify':
        return this.#verify(step)
      case 'review':
        return this.#review(step)
      case 'approve':
        await approve(live, historyOf(live), step.round, step.commit)
        return null
      case 'end_as_session':
        return endAsSession(live, step)
      case 'end':
        return endOf(live, step)
    }
  }

  async #beginPhase(phase: number): Promise<null> {
    const live = this.#live
    await tellChanged(live, historyOf(live))
    const { store } = live.deps
    const { tip } = await this.#preparation.ready()
    const begin = await whereToBegin(live, phase, tip.commit)
    if ('done' in begin) {
      await store.takePhase(live.id, begin.done)
      return null
    }
    const { plan } = historyOf(live)
    await skipClosed(live, plan[phase - 1] ?? [])
    await store.beginPhase(live.id, phase, begin.at, plan.length)
    crashPoint('after-phase-begun')
    return null
  }

  /**
   * Runs subtasks at the same time, each in a sandbox of its own. `atWork`: subtasks that an earlier server has begun.
   */
  async #together(round: Round, atWork: ReadonlyMap<string, () => Promise<ExecutionEnd | null>> = new Map()) {
    const live = this.#live
    return withOthers(live, () =>
      inParallel(
        {
          slots: live.deps.extraSlots.of(live.project.id),
          startable: (running) => (live.stopper.signal.aborted ? [] : subtasksToStart(historyOf(live), round, running)),
          start: (subtask) => this.#startSubtask({ round, role: 'subtask', subtask }),
        },
        atWork,
      ),
    )
  }

  async #startSubtask(what: InPhase): Promise<ExecutionEnd | null> {
    const live = this.#live
    await skipClosed(live, [{ id: what.subtask }])
    if (live.deps.store.skippedSubtasks(live.id).includes(what.subtask)) return null
    return told(live, what, () => this.#inOwnSandbox(what))
  }

  async #inOwnSandbox(what: InPhase): Promise<ExecutionEnd | null> {
    const workspace = this.#asking.take(what.subtask) ?? ownSandbox(this.#live)
    try {
      return await this.#work(what, workspace)
    } finally {
      await this.#keepOrLeave(what, workspace)
    }
  }

  /** An agent that waits for an answer keeps its sandbox. */
  async #keepOrLeave(what: InPhase, workspace: Workspace): Promise<void> {
    if (!workspace.isOpen) return
    if (!this.#live.stopper.signal.aborted && isForPerson(this.#live, what)) this.#asking.keep(what.subtask, workspace)
    else await this.#inTurn.take(() => workspace.leave())
  }

  /** One agent in a sandbox of its own. Sandboxes are opened one after the other, as sessions are numbered. */
  async #work(what: InPhase, workspace: Workspace): Promise<ExecutionEnd | null> {
    const live = this.#live
    const { environment } = await this.#preparation.ready()
    const plan = await this.#inTurn.take(async () => {
      const history = historyOf(live)
      const answered = continued(history, what.round, what.subtask)
      // A session that broke since may have left its work here.
      if (answered === null || newestIn(history, what)?.id !== answered.id) await workspace.leave()
      throwIfStopped(live.stopper)
      const kept = workspace.isOpen
      await live.watchdog.whileOursToWait(() => workspace.open(async () => environment))
      if (answered !== null) return continueInPhase(live, what, answered, kept)
      const id = await beginInPhase(live, what)
      return workPlan(live, historyOf(live), id, what)
    })
    const { subtask, round } = what
    if (what.role === 'subtask')
      await live.deps.store.addEvent(live.id, plan.id, 'subtask_started', { subtask, phase: round.phase })
    return this.#afterWork(await workspace.session(plan), what, plan.from, workspace)
  }

  async #adopt({ session, round, role, subtask }: Extract<PhaseStep, { do: 'adopt' }>): Promise<ExecutionEnd | null> {
    const live = this.#live
    const history = historyOf(live)
    if (role === 'review')
      return this.#afterReview(
        await this.#workspace.adopt(
          await reviewPlan(asReviewer(live), history, session, { round, commit: round.commit ?? '', wrong: null }),
        ),
      )
    if (role === 'fix') return this.#adoptWork(session, { round, role, subtask }, this.#workspace)
    const open = history.sessions.filter((one) => one.role === 'subtask' && one.state !== 'ended')
    const atWork = open.map((one) => {
      const what = { round, role, subtask: one.subtask }
      return [one.subtask, () => told(live, what, () => this.#adoptSubtask(one.id, what))] as const
    })
    return this.#together(round, new Map(atWork))
  }

  async #adoptSubtask(session: SessionId, what: InPhase): Promise<ExecutionEnd | null> {
    const left = this.#others.get(session)
    if (!left) return this.#adoptWork(session, what, this.#workspace)
    const workspace = reattached(this.#live, session, left)
    try {
      return await this.#adoptWork(session, what, workspace)
    } finally {
      await this.#keepOrLeave(what, workspace)
    }
  }

  async #adoptWork(session: SessionId, what: InPhase, workspace: Workspace): Promise<ExecutionEnd | null> {
    const live = this.#live
    const plan = await adoptedInPhase(live, session, what)
    return this.#afterWork(await workspace.adopt(plan), what, plan.from, workspace)
  }

  async #afterWork(
    facts: SessionFacts,
    what: InPhase,
    from: string,
    workspace: Workspace,
  ): Promise<ExecutionEnd | null> {
    const live = this.#live
    const { round, subtask } = what
    throwIfStopped(live.stopper)
    if (facts.blocked !== null) return isForPerson(live, what) ? null : blockedBy(facts.blocked)
    if (facts.outcome === 'infra_error') return endOfExit(facts.exit, live.settings.limits.memoryBytes, facts.reason)
    if (facts.outcome !== 'success') return null // the stored facts decide the next step
    const own = historyOf(live).plan[round.phase - 1]?.find(({ id }) => id === subtask)
    if (own) await noteStrays(live, own, facts.id, from)
    // The hub has its result. Commits on its other branches are saved before its sandbox goes.
    if (facts.recorded.result?.dirty === true) await this.#inTurn.take(() => workspace.leave())
    else await workspace.close()
    return null
  }

  async #join(round: Round): Promise<null> {
    const live = this.#live
    const tree = await treeOf(live, historyOf(live), round)
    crashPoint('before-tree-stored')
    if (tree !== 'conflict') await live.deps.store.endRound(live.id, round.number, tree)
    return null
  }

  async #verify({ round, commit }: Extract<Step, { do: 'verify' }>): Promise<null> {
    const live = this.#live
    const { environment, tip } = await this.#preparation.ready()
    const history = historyOf(live)
    const checks = await checksAt(live, commit, tip.commit)
    const prepared = await this.#preparation.environmentFor(checks, commit, environment)
    const counted = (rows: readonly Verification[]) =>
      countedInPhase(live, { history, round, commit, environment, checks }, rows)
    const what = { attempt: round.number, purpose: 'attempt' } as const
    await verify(live, prepared, commit, what, { ...checks, judges: [], counted })
    return null
  }

  async #review({ round, commit, ...wish }: Extract<Step, { do: 'review' }>): Promise<ExecutionEnd | null> {
    const live = this.#live
    const reviewer = asReviewer(live)
    await this.#workspace.close()
    const { baseCommit } = storedOf(live)
    // From where the work began: an environment is never prepared by the work under review.
    const environment = await live.watchdog.whileOursToWait(() =>
      this.#environments.ensure(wishOf(reviewer), baseCommit ?? commit),
    )
    const workspace = new Workspace(reviewer, { network: 'none', keepsWork: false })
    await workspace.open(async () => environment)
    try {
      const id = await beginInPhase(reviewer, { round, role: 'review', subtask: '' })
      const heard = heardOf(live, wish.question, false)
      const plan = await reviewPlan(reviewer, historyOf(live), id, { round, commit, wrong: wish.wrong, heard })
      await readInPrompt(live, id, heard)
      return this.#afterReview(await workspace.session(plan))
    } finally {
      await workspace.leave()
    }
  }

  #afterReview(facts: SessionFacts): ExecutionEnd | null {
    const { settings, stopper } = this.#live
    throwIfStopped(stopper)
    if (facts.outcome === 'blocked') return null // a person may be asked first
    if (facts.blocked !== null) return blockedBy(facts.blocked)
    return facts.outcome === 'infra_error' ? endOfExit(facts.exit, settings.limits.memoryBytes, facts.reason) : null
  }
}
