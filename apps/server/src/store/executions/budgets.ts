import type { Spent } from '@beadloom/core/budget/budget-states.ts'
import type { BudgetWait } from '@beadloom/core/budget/wait.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { budgetDay } from '@beadloom/core/budget/periods.ts'
import { budgetScopes, holderName, type BudgetScope, type BudgetUnit } from '@beadloom/core/budget/scopes.ts'
import type { BudgetStore, GrantRow } from '../../ports/store/budgets.ts'
import { toExecution, type ExecutionRow } from './execution-rows.ts'
import type { Writing } from '../database/writer.ts'

type Sum = { tokens: number | null; micros: number | null; unpriced: number | null }

const sums = `SELECT sum(u.input + u.output) AS tokens, sum(u.cost_micros) AS micros,
  sum(CASE WHEN u.price_of = '' THEN u.input + u.output ELSE 0 END) AS unpriced FROM token_use AS u`

const ofProject = `SELECT sum(input + output) AS tokens, sum(cost_micros) AS micros, sum(unpriced) AS unpriced
  FROM token_day WHERE project = ? AND day >= ?`

/** The use that counts in each scope, by the ids of its holder and the first day of its period. */
const queries: Record<BudgetScope, string> = {
  session: `${sums} WHERE u.session = ?`,
  execution: `${sums} WHERE u.execution = ?`,
  bead: `${sums} WHERE u.execution IN (SELECT id FROM execution WHERE project = ? AND bead = ?)`,
  day: ofProject,
  week: ofProject,
  server: `SELECT sum(tokens) AS tokens, sum(cost_micros) AS micros, sum(unpriced) AS unpriced
    FROM token_server_day WHERE day >= ?`,
}

/** Limits: their use, people's grants beyond them, and the execution that waits at one. */
export function budgetStore({ db, clock, write, changed, event }: Writing): BudgetStore {
  const select = db.prepare<[string], ExecutionRow>('SELECT * FROM execution WHERE id = ?')
  const statements = Object.fromEntries(budgetScopes.map((scope) => [scope, db.prepare<string[], Sum>(queries[scope])]))
  const grants = db.prepare<[string, string], { unit: BudgetUnit; amount: number }>(
    'SELECT unit, sum(amount) AS amount FROM budget_grant WHERE scope = ? AND holder = ? GROUP BY unit',
  )
  const grantsTo = db.prepare<[string], GrantRow>(
    'SELECT id, scope, unit, amount, at FROM budget_grant WHERE execution = ? ORDER BY id',
  )
  const insert = db.prepare<[Omit<GrantRow, 'id'> & { execution: string; holder: string }]>(
    `INSERT INTO budget_grant (execution, scope, holder, unit, amount, at)
     VALUES (@execution, @scope, @holder, @unit, @amount, @at)`,
  )
  const setWait = db.prepare<[string | null, string]>(
    'UPDATE execution SET budget_wait = ? WHERE id = ? AND ended_at IS NULL',
  )

  return {
    spent: (by): Spent => {
      const { tokens, micros, unpriced } =
        statements[by.scope]?.get(...by.ids, ...(by.since === null ? [] : [budgetDay(by.since)])) ?? {}
      return { tokens: tokens ?? 0, micros: micros ?? 0, unpriced: unpriced ?? 0 }
    },

    granted: (by) => {
      const found = grants.all(by.scope, holderName(by))
      const of = (unit: BudgetUnit) => found.find((one) => one.unit === unit)?.amount ?? 0
      return { tokens: of('tokens'), money: of('money') }
    },

    noteBudgetWait: (id, wait, how = 'continues') =>
      write(() => {
        const row = select.get(id)
        if (!row || row.ended_at !== null) return
        const before = row.budget_wait === null ? null : (JSON.parse(row.budget_wait) as BudgetWait)
        const text = wait && JSON.stringify(wait)
        if (text === row.budget_wait) return
        setWait.run(text, id)
        const about = { execution: id, session: null, line: null, at: clock.now() }
        if (wait && wait.since !== before?.since) event({ ...about, type: 'budget_waits', data: wait })
        if (!wait && how === 'continues') event({ ...about, type: 'budget_continues', data: null })
        changed('execution', row.project, id)
        changed('bead', row.project, row.bead)
        changed('status', '', 'server') // slots
      }),

    grantBudget: (id, raises) =>
      write(() => {
        const row = select.get(id)
        if (!row) return { refused: `there is no execution ${id}` }
        if (isTerminal(row.state)) return { refused: `the execution ${id} has already ended (${row.state})` }
        const at = clock.now()
        for (const { by, raise } of raises) {
          const { scope, unit, amount } = raise
          insert.run({ execution: id, scope, holder: holderName(by), unit, amount, at })
          event({ execution: id, session: null, line: null, at, type: 'budget_granted', data: raise })
        }
        changed('execution', row.project, id)
        changed('project', row.project, row.project)
        return toExecution(row)
      }),

    grantsOf: (id) => grantsTo.all(id),
  }
}
