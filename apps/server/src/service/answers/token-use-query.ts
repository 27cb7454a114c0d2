import type { TokenUseView } from '@beadloom/core/api/token-use-api.ts'
import { budgetDay } from '@beadloom/core/execution/token-budget.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import { PRICES_OF } from '@beadloom/core/tokens/model-prices.ts'
import type { Problem } from '../../http/ports.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { noProject } from './refusals.ts'

const DAY_MS = 24 * 3_600_000
/** A hundred beads a day, each with several models, fit for a month. */
const MOST_ROWS = 10_000

type Deps = { store: Pick<Store, 'project' | 'tokenUse'>; clock: Pick<Clock, 'now'>; currency: string }

/** Today (UTC) and the days before it, `days` in all. */
export function tokenUse({ store, clock, currency }: Deps, id: ProjectId, days: number): TokenUseView | Problem {
  if (!store.project(id)) return noProject(id)
  const today = clock.now() - (clock.now() % DAY_MS)
  const since = today - (days - 1) * DAY_MS
  const items = store.tokenUse(id, { since, most: MOST_ROWS + 1 })
  return {
    from: budgetDay(since),
    items: items.slice(0, MOST_ROWS),
    more: items.length > MOST_ROWS,
    currency,
    pricesOf: PRICES_OF,
  }
}
