import { budgetDay } from '@beadloom/core/budget/periods.ts'
import type { TokenUse } from '@beadloom/core/budget/token-use.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { SessionContext } from '@beadloom/core/context/context-gauge.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ExecutionStore, TokenStore } from '../../ports/store/executions.ts'
import type { Writing } from '../database/writer.ts'
import { useRows } from './use-rows.ts'
import { useTotals } from './use-sums.ts'

/** The columns of an execution or a session that count its tokens. */
export type TokenColumns = {
  tokens_input: number
  tokens_output: number
  tokens_cached: number
  tokens_reasoning: number
  cost_micros: number | null
}

export const toTokenUse = (row: TokenColumns): TokenUse => ({
  input: row.tokens_input,
  output: row.tokens_output,
  ...(row.tokens_cached > 0 && { cached: row.tokens_cached }),
  ...(row.tokens_reasoning > 0 && { reasoning: row.tokens_reasoning }),
  ...(row.cost_micros !== null && { costMicros: row.cost_micros }),
})

type Day = { input: number; output: number; cached: number; reasoning: number; cost_micros: number | null }
type Amounts = { input: number; output: number; cached: number; reasoning: number; cost: number | null }

/** A sum of prices is known as soon as one of them is. */
const addCost = 'CASE WHEN @cost IS NULL THEN cost_micros ELSE coalesce(cost_micros, 0) + @cost END'
const columns = `tokens_input = tokens_input + @input, tokens_output = tokens_output + @output,
  tokens_cached = tokens_cached + @cached, tokens_reasoning = tokens_reasoning + @reasoning, cost_micros = ${addCost}`

export function tokenStore(writing: Writing, { execution }: Pick<ExecutionStore, 'execution'>): TokenStore {
  const { db, clock, write, changed } = writing
  const ofExecution = db.prepare<[Amounts & { id: string }]>(`UPDATE execution SET ${columns} WHERE id = @id`)
  const ofSession = db.prepare<[Amounts & { id: string; execution: string }]>(
    `UPDATE session SET ${columns} WHERE id = @id AND execution = @execution`,
  )
  const context = db.prepare<[SessionContext & { id: string; execution: string }]>(
    `UPDATE session SET context_tokens = @tokens, context_window = @window, context_peak = @peak,
       compactions = @compactions
     WHERE id = @id AND execution = @execution`,
  )
  const answered = db.prepare<[number, string, string]>(
    'UPDATE session SET answered_at = ? WHERE id = ? AND execution = ?',
  )
  const rows = useRows(writing)
  const ofDay = db.prepare<[Amounts & { project: string; day: string; unpriced: number }]>(
    `INSERT INTO token_day (project, day, input, output, cached, reasoning, cost_micros, unpriced)
     VALUES (@project, @day, @input, @output, @cached, @reasoning, @cost, @unpriced)
     ON CONFLICT DO UPDATE SET input = input + @input, output = output + @output, cached = cached + @cached,
       reasoning = reasoning + @reasoning, cost_micros = ${addCost}, unpriced = unpriced + @unpriced`,
  )
  const ofServer = db.prepare<[Amounts & { day: string; unpriced: number }]>(
    `INSERT INTO token_server_day (day, tokens, cost_micros, unpriced)
     VALUES (@day, @input + @output, coalesce(@cost, 0), @unpriced)
     ON CONFLICT DO UPDATE SET tokens = tokens + @input + @output, cost_micros = cost_micros + coalesce(@cost, 0),
       unpriced = unpriced + @unpriced`,
  )
  // With the days after it, which exist if the wall clock jumped back: a jump must not give a limit twice.
  const since = db.prepare<[string, string], Day>(
    `SELECT total(input) AS input, total(output) AS output, total(cached) AS cached, total(reasoning) AS reasoning,
       sum(cost_micros) AS cost_micros
     FROM token_day WHERE project = ? AND day >= ?`,
  )

  return {
    // Not lasting: waiting for the disk at the end of every call would block all others. A kill loses nothing.
    addTokens: (id, session, use, call = {}) =>
      write(() => {
        if (use.input === 0 && use.output === 0 && !use.costMicros) return
        const { project } = needed(execution(id), id)
        const { input, output, cached = 0, reasoning = 0, costMicros = null } = use
        const amounts = { input, output, cached, reasoning, cost: costMicros }
        ofExecution.run({ ...amounts, id })
        ofSession.run({ ...amounts, id: session, execution: id })
        if (call.context) context.run({ ...call.context, id: session, execution: id })
        if (call.answeredAt !== undefined) answered.run(call.answeredAt, session, id)
        const now = clock.now()
        rows.add({ execution: id, session, project, now }, use, call)
        const today = {
          ...amounts,
          day: budgetDay(now),
          unpriced: call.unpriced ?? (costMicros === null ? input + output : 0),
        }
        ofDay.run({ ...today, project })
        ofServer.run(today)
        changed('execution', project, id)
        changed('project', project, project)
      }, false),

    tokenUse: rows.tokenUse,
    ...useTotals(writing),

    tokensOfDay: (project, now) => {
      const row = since.get(project, budgetDay(now))
      if (!row) return { input: 0, output: 0 }
      const { input, output, cached, reasoning, cost_micros: costMicros } = row
      return { input, output, cached, reasoning, ...(costMicros !== null && { costMicros }) }
    },
  }
}

function needed(execution: Execution | null, id: ExecutionId): Execution {
  if (!execution) throw new Error(`there is no execution ${id}`)
  return execution
}
