import type { TokenUseRow, UseKind } from '@beadloom/core/api/budgets/token-use-api.ts'
import type { ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { TokenUse } from '@beadloom/core/budget/token-use.ts'
import { OWN_PRICE } from '@beadloom/core/budget/model-prices.ts'
import type { CountedCall, TokenStore } from '../../ports/store/executions.ts'
import type { Writing } from '../database/writer.ts'
import { useSums } from './use-sums.ts'

const HOUR_MS = 3_600_000

type Added = Record<'input' | 'output' | 'cost' | 'estimated' | 'hour', number> &
  Record<'cached' | 'reasoning', number | null> &
  Record<'session' | 'project' | 'model' | 'agent' | 'priceOf', string>

type Sum = Omit<TokenUseRow, 'costMicros' | 'agent'> & { cost: number | null; agent: string; kind: UseKind }

/** The author of a call, and its time. */
export type UseOf = { execution: ExecutionId; session: SessionId; project: ProjectId; now: number }

/** The use of tokens, by session, model, sub-agent and hour: a row each, which is added to. */
export function useRows({ db }: Pick<Writing, 'db'>): Pick<TokenStore, 'tokenUse'> & {
  add: (of: UseOf, use: TokenUse, call: CountedCall) => void
} {
  const add = db.prepare<[Added]>(
    `INSERT INTO token_use (session, hour, model, agent, price_of, execution, project, calls, estimated, input, output,
       cached, reasoning, cost_micros)
     SELECT id, @hour, @model, @agent, @priceOf, execution, @project, 1, @estimated, @input, @output, @cached,
       @reasoning, @cost
     FROM session WHERE id = @session
     ON CONFLICT DO UPDATE SET calls = calls + 1, estimated = estimated + @estimated, input = input + @input,
       output = output + @output, cached = coalesce(cached + @cached, cached, @cached),
       reasoning = coalesce(reasoning + @reasoning, reasoning, @reasoning), cost_micros = cost_micros + @cost`,
  )
  // A judge looks at work, as a reviewer does. An attempt has another session because one had failed.
  const sums = db.prepare<[string, number, number], Sum>(
    `SELECT strftime('%Y-%m-%d', u.hour / 1000, 'unixepoch') AS day, e.bead AS bead,
       CASE
         WHEN e.kind = 'plan' THEN 'plan'
         WHEN e.kind = 'review' OR s.kind = 'verify' OR p.role = 'review' THEN 'review'
         WHEN p.role = 'fix' OR r.phase_attempt > 1 THEN 'retry'
         WHEN p.session IS NULL AND (s.attempt > 1 OR EXISTS (
           SELECT 1 FROM session AS b
           WHERE b.execution = s.execution AND b.kind = 'work' AND b.attempt = s.attempt AND b.number < s.number
         )) THEN 'retry'
         ELSE 'work'
       END AS kind,
       CASE WHEN p.session IS NULL THEN NULL ELSE r.phase END AS phase, u.model AS model, u.agent AS agent,
       s.agent AS preset,
       ${useSums}
     FROM token_use AS u
     JOIN execution AS e ON e.id = u.execution
     JOIN session AS s ON s.id = u.session
     LEFT JOIN phase_session AS p ON p.session = u.session
     LEFT JOIN phase_round AS r ON r.execution = u.execution AND r.number = s.attempt
     WHERE u.project = ? AND u.hour >= ? AND u.hour < ?
     GROUP BY 1, 2, 3, 4, 5, 6, 7
     ORDER BY day DESC, bead, kind, phase, model, agent, preset`,
  )
  return {
    add({ session, project, now }, use, call) {
      const { input, output, cached = null, reasoning = null, costMicros } = use
      const { model = '', agent = '', priceOf = OWN_PRICE, estimated = false } = call
      const amounts = { input, output, cached, reasoning, cost: costMicros ?? 0, estimated: estimated ? 1 : 0 }
      const price = costMicros === undefined ? '' : priceOf
      add.run({ ...amounts, session, project, hour: now - (now % HOUR_MS), model, agent, priceOf: price })
    },
    tokenUse: (project, { since, until = Number.MAX_SAFE_INTEGER }) =>
      sums
        .all(project, since, until)
        .map(({ cost, agent, ...row }) => ({ ...row, agent: agent === '' ? null : agent, costMicros: cost })),
  }
}
