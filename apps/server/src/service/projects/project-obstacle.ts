import { nextBudgetDay } from '@beadloom/core/execution/token-budget.ts'
import { allTokens } from '@beadloom/core/execution/token-use.ts'
import type { Reason } from '@beadloom/core/dispatch/plan-dispatch.ts'
import { dayUsedUp } from '@beadloom/core/dispatch/why-not.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ModelCheck } from '../../ports/gateway.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { settingsOf } from './stored-settings.ts'

type Parts = { store: Pick<Store, 'tokensOfDay'>; clock: Clock }

/** Why nothing of a project can start, or null. `model`: the check of its model, null before the first one. */
export function projectObstacle(parts: Parts, row: ProjectRow, model: ModelCheck | null): Reason | null {
  if (row.problem) return { code: 'project_broken', text: row.problem.text }
  const settings = settingsOf(row)
  if (!settings) return { code: 'project_broken', text: 'the project has not been read yet' }
  if (settings.agent !== 'command' && model && !model.ok) return { code: 'no_model', text: model.text }
  return budgetOfTheDay(parts, row.id, settings)
}

function budgetOfTheDay({ store, clock }: Parts, project: ProjectId, { limits }: ProjectSettings): Reason | null {
  const limit = limits.maxTokensPerDay
  const now = clock.now()
  if (limit === null || allTokens(store.tokensOfDay(project, now)) < limit) return null
  return dayUsedUp(limit, nextBudgetDay(now))
}
