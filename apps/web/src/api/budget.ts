import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { call } from './client.ts'

const ofProject = (project: string, days: number) => `/api/projects/${encodeURIComponent(project)}/budget?days=${days}`

export const getBudget = (project: string, days: number, signal: AbortSignal) =>
  call<BudgetView>(ofProject(project, days), { signal })
/** An address, for a link. */
export const budgetFile = (project: string, days: number): string => `${ofProject(project, days)}&format=csv`
