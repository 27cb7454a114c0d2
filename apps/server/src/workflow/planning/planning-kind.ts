import type { WorkflowKind } from '../workflow.ts'
import { settingsOfPlanning } from './planning-settings.ts'
import { wordedForPlanning } from './planning-words.ts'
import { PlanningWorkflow } from './planning-workflow.ts'
import { workAfterPlan } from './work-after-plan.ts'

/** An architect looks at a pinned commit and answers with a plan. Its bead stays as it is until work begins. */
export const planning: WorkflowKind = {
  settings: (project) => settingsOfPlanning(project),
  // A network of its own, and nothing to push.
  workspace: () => ({ network: 'none', keepsWork: false }),
  begin: (live, { main }, environments) => new PlanningWorkflow(live, main, environments),
  worded: wordedForPlanning,
  afterEnd: (deps, execution) => workAfterPlan(deps, execution),
}
