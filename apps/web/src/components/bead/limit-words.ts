import type { LimitView } from '@beadloom/core/api/budgets/budget-api.ts'
import { shortCount } from '@beadloom/core/text/count-text.ts'

type Figures = Pick<LimitView, 'unit' | 'used' | 'limit'>

/** "82k/100k tok", "4.10/5.00" in the server's currency. */
export const limitFigures = ({ unit, used, limit }: Figures): string =>
  unit === 'tokens' ? `${shortCount(used)}/${shortCount(limit)} tok` : `${moneyAmount(used)}/${moneyAmount(limit)}`

const moneyAmount = (micros: number): string => (micros / 1e6).toFixed(micros >= 100_000 || micros === 0 ? 2 : 4)

/** Whole percent of the limit; more than 100 if it was passed. */
export const percentUsed = ({ used, limit }: Figures): number => (limit === 0 ? 100 : Math.floor((used / limit) * 100))
