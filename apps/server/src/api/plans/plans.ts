import type { ApprovePlan } from '@beadloom/core/api/plans/plan-requests.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import { planWarnings } from '@beadloom/core/plan/plan-warnings.ts'
import { isDoneInPhases } from '@beadloom/core/records/planning.ts'
import { describeProblems, readPlan } from '@beadloom/core/plan/read-plan.ts'
import { Problem } from '../../ports/problem.ts'
import type { PlanRow } from '../../ports/store/plans.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { Store } from '../../ports/store.ts'
import type { Logger } from '../../process/logger.ts'
import { workAfterPlan } from '../../workflow/planning/work-after-plan.ts'
import { phaseViews } from '../../app/views/phase-view.ts'
import type { ServerViews } from '../../app/views/views.ts'
import { noBead, noExecution, noProject } from '../../app/stored/refusals.ts'

export type PlanDeps = {
  store: Store
  /** For the work that an approval begins. */
  patient: PatientStore
  scheduler: { nudge(): void }
  views: Pick<ServerViews, 'execution'>
  log: Logger
}

/** Plans as people see and change them. */
export function createPlans(deps: PlanDeps) {
  const { store, patient, scheduler, log } = deps
  const missing = (project: ProjectId, bead: BeadId): Problem | null => {
    if (!store.project(project)) return noProject(project)
    return store.bead(project, bead) ? null : noBead(project, bead)
  }
  const viewOf = (row: PlanRow): PlanView => planView(row, store.plan(row.project, row.bead)?.version ?? row.version)
  return {
    /** The newest version, or the requested one. */
    get: (project: ProjectId, bead: BeadId, version?: number) => {
      const row = store.plan(project, bead, version)
      return row ? viewOf(row) : (missing(project, bead) ?? noPlan(bead, version))
    },
    /** `given` is anything: 422 names every problem with it. 409 if `onto` is not the newest version. */
    put: (project: ProjectId, bead: BeadId, given: unknown, onto?: number) => {
      const problem = missing(project, bead)
      if (problem) return problem
      const read = readPlan(given)
      if ('problems' in read) return new Problem(422, 'plan_invalid', describeProblems(read.problems), read.problems)
      const added = store.addPlan({
        project,
        bead,
        source: 'person',
        plan: read.plan,
        ...(onto !== undefined && { onto }),
      })
      return 'refused' in added ? new Problem(409, 'changed', `${added.refused}.`) : viewOf(added)
    },
    /** None if it does not work by a plan. */
    phases: (id: ExecutionId) => {
      const execution = store.execution(id)
      return execution ? { items: phaseViews(store, execution) } : noExecution(id)
    },
    /** 409 if `version` is not the newest. */
    approve: async (project: ProjectId, bead: BeadId, { version }: ApprovePlan) => {
      const newest = store.plan(project, bead)
      if (!newest) return missing(project, bead) ?? noPlan(bead)
      const approved = store.approvePlan(project, bead, version ?? newest.version)
      if ('refused' in approved) return new Problem(409, 'changed', `${approved.refused}.`)
      const last = store.executions({ project, bead, limit: MOST_EXECUTIONS }).find(({ kind }) => kind !== 'review')
      if (last?.kind === 'plan') await workAfterPlan({ store: patient, log }, last)
      scheduler.nudge()
      return viewOf(approved)
    },
  }
}

/** Since a bead was planned it may have been reviewed, and nothing else. */
const MOST_EXECUTIONS = 50

const noPlan = (bead: string, version?: number): Problem =>
  new Problem(
    404,
    'no_plan',
    version === undefined
      ? `the bead ${bead} has no plan. Give it one: beadloom plan ${bead} --from FILE`
      : `the plan of the bead ${bead} has no version ${version}`,
  )

export function planView({ plan, ...row }: PlanRow, newest: number): PlanView {
  return {
    ...row,
    newest,
    ...plan,
    phases: phasesOf(plan.subtasks),
    phased: isDoneInPhases({ plan, source: row.source }),
    warnings: planWarnings(plan),
  }
}
