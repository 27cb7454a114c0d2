import { signatureOf } from '../../execution/signature.ts'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import { isPhased, type Plan } from '@beadloom/core/records/plan.ts'
import { planningStep } from '@beadloom/core/plan/planning-step.ts'
import type { Ask, AskStep, Parsed } from '@beadloom/core/review/ask-step.ts'
import { endOfSession, failed } from '../../execution/ends.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import { HubError } from '../../ports/hub.ts'
import { beginSession } from '../../sandbox/begin-session.ts'
import { wishOf } from '../../sandbox/environment-wish.ts'
import type { ProjectEnvironments } from '../../sandbox/project-environment.ts'
import { endedSession } from '../../sandbox/ended-session.ts'
import type { SessionFacts } from '../../sandbox/session-plan.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import { afterAnswering, askAbout, askHistory } from '../answering.ts'
import { heardOf, readInPrompt } from '../questions.ts'
import type { Workflow } from '../workflow.ts'
import { planningPlan } from './planning-session.ts'

type Step = AskStep<Plan>

/** The project's settings were read just before the execution started. That fetch is recent enough. */
const FRESH_MS = 15_000

/** A fresh session, and a second one with all problems if its plan cannot be used; a usable plan becomes a version. */
export class PlanningWorkflow implements Workflow<Step> {
  readonly #live: LiveExecution
  readonly #workspace: Workspace
  readonly #environments: ProjectEnvironments

  constructor(live: LiveExecution, workspace: Workspace, environments: ProjectEnvironments) {
    this.#live = live
    this.#workspace = workspace
    this.#environments = environments
  }

  next(): Step {
    return planningStep(askHistory(this.#live))
  }

  async take(step: Step): Promise<ExecutionEnd | null> {
    const live = this.#live
    switch (step.do) {
      case 'ask':
        return afterAnswering(live, this.#workspace, await this.#ask(step))
      case 'adopt':
        return afterAnswering(
          live,
          this.#workspace,
          await this.#workspace.adopt(
            await planningPlan(live, { id: step.session, attempt: step.attempt }, { wrong: null }),
          ),
        )
      case 'ask_person':
        return askAbout(live, step.session)
      case 'answered':
        return this.#keep(step.parsed)
      case 'end_as_session':
        return endOfSession(live.settings, storedOf(live).branch, endedSession(live, step.session))
      case 'sessions_used':
        return failed({ kind: 'too_many_sessions', sessions: storedOf(live).maxSessions })
    }
  }

  async #ask({ attempt, ...wish }: Ask): Promise<SessionFacts> {
    const live = this.#live
    const { store } = live.deps
    const environment = await live.watchdog.whileOursToWait(() => this.#prepare())
    await this.#workspace.close() // the new session takes over nothing from an earlier one
    throwIfStopped(live.stopper)
    await this.#workspace.open(async () => environment)
    await store.noteExecution(live.id, { attempt })
    const id = await beginSession(live, 'work', attempt)
    const heard = heardOf(live, wish.question, true)
    const plan = await planningPlan(live, { id, attempt }, { wrong: wish.wrong, heard })
    await readInPrompt(live, id, heard)
    return this.#workspace.session(plan)
  }

  /** The commit of the work branch to plan on, pinned with the first session, and the sandboxes' environment. */
  async #prepare(): Promise<string> {
    const live = this.#live
    const { hub, store } = live.deps
    const { project, settings, stopper } = live
    let { baseCommit } = storedOf(live)
    if (baseCommit === null) {
      await hub.fetch(project, stopper.signal, FRESH_MS).catch(async (error: unknown) => {
        if (!(error instanceof HubError) || !(await hub.current(project))) throw error
        await warn(live, `Continuing with the last fetch: ${error.message}`)
      })
      throwIfStopped(stopper)
      baseCommit = (await hub.workTip(project, settings.workBranch, settings.baseBranch, await signatureOf(live)))
        .commit
      await store.noteExecution(live.id, { baseCommit, branch: settings.workBranch })
    }
    return this.#environments.ensure(wishOf(live), baseCommit)
  }

  async #keep(parsed: Parsed<Plan>): Promise<ExecutionEnd> {
    const live = this.#live
    const { store } = live.deps
    if ('wrong' in parsed) return failed({ kind: 'plan_invalid', problems: parsed.wrong })
    const { baseCommit, startedAt } = storedOf(live)
    const commit = baseCommit ?? ''
    const newest = store.plan(live.project.id, live.bead.id)
    if (newest?.source === 'person' && newest.madeAt >= (startedAt ?? 0))
      return {
        state: 'COMPLETED',
        commit,
        detail: `Somebody gave the bead a plan while the architect worked: version ${newest.version} counts.`,
      }
    const added = await store.addPlan({
      project: live.project.id,
      bead: live.bead.id,
      source: 'architect',
      plan: parsed.answer,
      by: { execution: live.id, commit },
    })
    if ('refused' in added) throw new Error(added.refused)
    return { state: 'COMPLETED', commit, detail: sentenceOf(parsed.answer, added.version) }
  }
}

function sentenceOf(plan: Plan, version: number): string {
  if (!isPhased(plan)) return `Plan, version ${version}: one session does all of it.`
  const { length } = phasesOf(plan.subtasks)
  return `Plan, version ${version}: ${plan.subtasks.length} subtasks in ${length === 1 ? 'one phase' : `${length} phases`}.`
}
