import { GrantBudget } from '@beadloom/core/api/budgets/budget-requests.ts'
import { budgets, grant, grantsOf, type GrantDeps } from './budgets.ts'
import { budget, budgetCsv, type BudgetDeps } from './budget-query.ts'
import { Problem } from '../../ports/problem.ts'
import { z } from 'zod'
import { Reply, route, type Route } from '../../http/routing/route.ts'

export const budgetRoutes = (deps: GrantDeps & BudgetDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/budgets',
    summary: "Executions that wait for a person at a limit of tokens or money, and the server's own limits",
    answer: { status: 200, description: 'BudgetsView' },
    handle: () => budgets(deps),
  }),
  route({
    method: 'get',
    path: '/api/executions/:execution/grants',
    summary: 'The limits that cover an execution, how much of each is used, and what people have granted',
    answer: { status: 200, description: 'GrantsView' },
    handle: ({ params }) => grantsOf(deps, params.execution),
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
    handle: ({ params, body, once }) => grant(deps, params.execution, body, once),
  }),
  route({
    method: 'get',
    path: '/api/projects/:project/budget',
    summary: 'What a project has used, added up, what its completed beads cost, and what its queue will probably cost',
    description:
      '`format=csv` returns the rows behind these sums as a file. Unknown values are empty cells, and a spreadsheet takes no name for a formula.',
    query: z.strictObject({
      /** This many days (UTC) before today, and today. */
      days: z.coerce.number().int().min(1).max(366).default(7),
      format: z.enum(['json', 'csv']).default('json'),
    }),
    answer: { status: 200, description: 'BudgetView' },
    handle: ({ params: { project }, query: { days, format } }) =>
      format === 'json' ? budget(deps, project, days) : asFile(budgetCsv(deps, project, days), project, days),
  }),
]

/** Served as a download for a spreadsheet; never shown in the browser, which could take it for a page. */
const asFile = (rows: AsyncIterable<string> | Problem, project: string, days: number): Problem | Reply =>
  rows instanceof Problem
    ? rows
    : new Reply(rows, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${project}-budget-${days}d.csv"`,
      })
