import { nobody } from '@beadloom/core/budget/scopes.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { periodUsedUp } from '@beadloom/core/dispatch/why-not.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { BudgetWatch } from '../../ports/budget.ts'
import type { ModelCheck } from '../../ports/gateway.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Clock } from '../../process/clock.ts'
import { settingsOf } from '../stored/stored-settings.ts'

type Parts = { budget: BudgetWatch; clock: Clock }

/** Why nothing of a project can start, or null. `model`: the check of its model, null before the first one. */
export function projectObstacle(parts: Parts, row: ProjectRow, model: ModelCheck | null): Reason | null {
  if (row.problem) return { code: 'project_broken', text: row.problem.text }
  const settings = settingsOf(row)
  if (!settings) return { code: 'project_broken', text: 'the project has not been read yet' }
  if (settings.agent !== 'command' && model && !model.ok) return { code: 'no_model', text: model.text }
  return budgetOfNow(parts, row, settings)
}

/** The budget of the day and the week; a single bead's or execution's use keeps no other from starting. */
function budgetOfNow({ budget, clock }: Parts, { id }: ProjectRow, settings: ProjectSettings): Reason | null {
  const reached = budget.reached({ ...nobody, project: id }, settings)
  return reached && periodUsedUp(reached, clock.now(), budget.currency)
}
