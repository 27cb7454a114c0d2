import { GrantBudget } from '@beadloom/core/api/budgets/budget-requests.ts'
import type { BudgetApi } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

export const budgetRoutes = (budgets: BudgetApi): Route[] => [
  route({
    method: 'get',
    path: '/api/budgets',
    summary: "Executions that wait for a person at a limit of tokens or money, and the server's own limits",
    answer: { status: 200, description: 'BudgetsView' },
    handle: () => budgets.list(),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/grants',
    summary: 'The limits that cover an execution, how much of each is used, and what people have granted',
    answer: { status: 200, description: 'GrantsView' },
    handle: ({ params }) => budgets.of(params.execution),
  }),
  route({
    method: 'post',
    path: '/api/executions/:execution/grants',
    summary: 'Grants an execution more tokens or money',
    description:
      'From what it has used now. It raises each limit that the execution has reached; where it has reached none, those of its session, itself and its bead that are near. Refused while there is neither. One that waits continues at once.',
    idempotent: true,
    body: GrantBudget,
    refusals: [409],
    answer: { status: 202, description: 'ExecutionView; it continues a moment later' },
    handle: ({ params, body, once }) => budgets.grant(params.execution, body, once),
  }),
]
