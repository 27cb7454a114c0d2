import type { PlanView } from '@beadloom/core/api/plan-api.ts'
import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'
import { phasesOf } from '@beadloom/core/plan/phases.ts'
import { planWarnings } from '@beadloom/core/plan/plan-warnings.ts'
import { isPhased } from '@beadloom/core/plan/plan.ts'
import { describeProblems, readPlan } from '@beadloom/core/plan/read-plan.ts'
import { Problem, type PlanApi } from '../../http/ports.ts'
import type { PlanRow } from '../../ports/store/plans.ts'
import type { PatientStore } from '../../ports/store/patient.ts'
import type { Store } from '../../ports/store.ts'
import type { Logger } from '../../process/logger.ts'
import { workAfterPlan } from '../../workflow/planning/work-after-plan.ts'
import { phaseViews } from './phase-view.ts'
import { noBead, noExecution, noProject } from '../answers/refusals.ts'

export type PlanDeps = {
  store: Store
  /** For the work that an approval begins. */
  patient: PatientStore
  scheduler: { nudge(): void }
  log: Logger
}

/** Plans as people see and change them. */
export function createPlans({ store, patient, scheduler, log }: PlanDeps): PlanApi {
  const missing = (project: ProjectId, bead: BeadId): Problem | null => {
    if (!store.project(project)) return noProject(project)
    return store.bead(project, bead) ? null : noBead(project, bead)
  }
  const viewOf = (row: PlanRow): PlanView => planView(row, store.plan(row.project, row.bead)?.version ?? row.version)
  return {
    get: (project, bead, version) => {
      const row = store.plan(project, bead, version)
      return row ? viewOf(row) : (missing(project, bead) ?? noPlan(bead, version))
    },
    put: (project, bead, given, onto) => {
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
    phases: (id) => {
      const execution = store.execution(id)
      return execution ? { items: phaseViews(store, execution) } : noExecution(id)
    },
    approve: async (project, bead, { version }) => {
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
    phased: isPhased(plan),
    warnings: planWarnings(plan),
  }
}
