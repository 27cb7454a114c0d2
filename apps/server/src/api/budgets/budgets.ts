import type { BudgetQuestion, BudgetsView, GrantsView } from '@beadloom/core/api/budgets/budget-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { raisesOf, type Raise } from '@beadloom/core/budget/grants.ts'
import { DEFAULT_WARN_AT } from '@beadloom/core/budget/budget-settings.ts'
import { waitDetail } from '@beadloom/core/budget/wait.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { GrantBudget } from '@beadloom/core/api/budgets/budget-requests.ts'
import type { BudgetWatch } from '../../ports/budget.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { SpentBy } from '@beadloom/core/budget/scopes.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { limitView, openBudgets, type OpenBudget } from '../../budget/open-budgets.ts'
import { settingsFor } from '../../app/stored/stored-settings.ts'
import { noExecution } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'

export type GrantDeps = {
  store: Store
  budget: BudgetWatch
  holdNews: { tell(): void }
  views: ServerViews
  scheduler: { nudge(): void }
  clock: Pick<Clock, 'now'>
}

/** The executions that wait for a person at a limit, and the use of the server's own limits. */
export function budgets({ store, budget, clock }: GrantDeps): BudgetsView {
  const now = clock.now()
  const items = store
    .liveExecutions()
    .flatMap(({ id, project, bead, waits: wait }): BudgetQuestion[] =>
      wait?.kind === 'budget' && !wait.granted
        ? [{ execution: id, project, bead, wait, text: waitDetail(wait, now) }]
        : [],
    )
  const server = budget.ofServer().map((state) => limitView(state, DEFAULT_WARN_AT, budget.currency))
  return { items, server, currency: budget.currency }
}

/** The limits on an execution, and the grants to it. */
export function grantsOf({ store, budget }: GrantDeps, id: ExecutionId): GrantsView | Problem {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  const settings = settingsFor(store, execution)
  const open = settings ? openBudgets({ store, budget }, execution, settings) : []
  const warnAt = settings?.limits.warnAtPercent ?? DEFAULT_WARN_AT
  const { currency } = budget
  const items = store.grantsOf(id).map(({ id, at, scope, unit, amount }) => ({ id, at, scope, unit, amount }))
  return { items, limits: open.map(({ state }) => limitView(state, warnAt, currency)), currency }
}

/** Raises the limits that it has reached, or else those of its own that are near. */
export function grant(deps: GrantDeps, id: ExecutionId, input: GrantBudget, once: Once): ExecutionView | Problem {
  const { store, holdNews, views, scheduler } = deps
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (once.before === null) {
    if (isTerminal(execution.state))
      return new Problem(409, 'not_now', `the execution has already ended (${execution.state})`)
    const settings = settingsFor(store, execution)
    if (!settings) return new Problem(409, 'not_now', 'the project has not been read yet')
    const raises = raisesFor(openBudgets(deps, execution, settings), input, settings)
    if ('refused' in raises) return new Problem(409, 'nothing_to_grant', `${id}: ${raises.refused}`)
    const granted = once.make(
      () => store.grantBudget(id, raises),
      (done) => ('refused' in done ? null : id),
    )
    if ('refused' in granted) return new Problem(409, 'not_now', granted.refused)
  }
  holdNews.tell()
  scheduler.nudge()
  return views.execution(id) ?? noExecution(id)
}

function raisesFor(
  open: readonly OpenBudget[],
  { tokens, money }: GrantBudget,
  settings: ProjectSettings,
): { by: SpentBy; raise: Raise }[] | { refused: string } {
  const given = {
    ...(tokens !== undefined && { tokens }),
    ...(money !== undefined && { money: Math.round(money * 1e6) }),
  }
  const states = open.map(({ state }) => state)
  const raises = raisesOf(states, given, settings.limits.warnAtPercent ?? DEFAULT_WARN_AT)
  if ('refused' in raises) return raises
  return raises.map(({ state, ...raise }) => ({ by: open[states.indexOf(state)]!.by, raise }))
}
