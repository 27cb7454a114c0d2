import type { Forecast, Spread } from '@beadloom/core/api/budgets/project-budget-api.ts'
import type { UseAmounts, UseKey, UseKind } from '@beadloom/core/api/budgets/token-use-api.ts'
import { tokensOf } from '@beadloom/core/tokens/sum-use.ts'
import { titleOf } from '../../components/bead/run/agent-words.ts'
import { moneyText } from '../../components/bead/token-words.ts'
import { countText, counted, shortCount } from '@beadloom/core/text/count-text.ts'

/** For an unknown value: 0 would be a promise. */
export const UNKNOWN = '–'

/** "$3.84", "$3.84 +" if a part has no price, "–" if nothing has. `per`: "/h". */
export const costText = ({ costMicros, unpriced }: UseAmounts, currency: string, per = ''): string =>
  costMicros === null ? UNKNOWN : `${shortMoney(costMicros, currency)}${per}${unpriced > 0 ? ' +' : ''}`

/** Above this amount nobody counts cents. */
const LARGE_MICROS = 100_000 * 1e6

/** "$0.0262", "$3.84", "$1.7M". */
export function shortMoney(micros: number, currency: string): string {
  if (micros < LARGE_MICROS) return moneyText(micros, currency)
  const style = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat('en-US', style).format(micros / 1e6)
}

/** Money in a column, with equally many digits in each line: four if the sum is small. */
export function columnMoney(all: UseAmounts, currency: string): (use: UseAmounts) => string {
  const digits = (all.costMicros ?? 0) < 1e6 ? 4 : 2
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  const format = new Intl.NumberFormat('en-US', style)
  return ({ costMicros }) => (costMicros === null ? UNKNOWN : format.format(costMicros / 1e6))
}

/** The reason why a sum of money is partial or unknown; null if it is complete. */
export function costNote({ costMicros, unpriced }: UseAmounts): string | null {
  if (unpriced > 0) return `${counted(unpriced, 'token')} without a price`
  return costMicros === null ? 'Nothing was used' : null
}

/** A count that some endpoints do not report. */
export const toldCount = (count: number | null): string => (count === null ? UNKNOWN : countText(count))

/** "62.1k – 120k": the median and the 90th percentile; one figure if they are the same. */
export function spreadText({ median, p90 }: Pick<Spread, 'median' | 'p90'>, text: (value: number) => string): string {
  const [low, high] = [text(median), text(p90)]
  return low === high ? low : `${low} – ${high}`
}

export const moneySpread = (spread: Pick<Spread, 'median' | 'p90'> | null, currency: string): string =>
  spread === null ? UNKNOWN : spreadText(spread, (micros) => shortMoney(micros, currency))

export const tokenSpread = (spread: Pick<Spread, 'median' | 'p90'> | null): string =>
  spread === null ? UNKNOWN : spreadText(spread, shortCount)

/** ", known of 2" if figures are known for only some of the beads. */
export const partText = (forecast: Forecast | null, waiting: number): string =>
  forecast === null || forecast.known === waiting ? '' : `, known of ${countText(forecast.known)}`

/** "12%", "<1%"; "–" if there is nothing to share. */
export function shareText(part: UseAmounts, all: UseAmounts): string {
  const whole = tokensOf(all)
  if (whole === 0) return UNKNOWN
  const percent = (tokensOf(part) / whole) * 100
  return percent > 0 && percent < 1 ? '<1%' : `${Math.round(percent)}%`
}

const dayFormat = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
/** "Nov 23" for `2026-11-23`, in any time zone of this computer: days are UTC. */
export const dayName = (day: string): string => {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? day : dayFormat.format(at)
}

export const keyNames: Record<UseKey, string> = {
  bead: 'Bead',
  model: 'Model',
  agent: 'Agent',
  phase: 'Phase',
  kind: 'Kind',
  day: 'Day',
}

const kinds: Record<UseKind, string> = { work: 'Work', retry: 'Retry', review: 'Review', plan: 'Plan' }
const isKind = (name: string): name is UseKind => Object.hasOwn(kinds, name)

/** A group's name for people. It may come from an endpoint or a repository. */
export function groupName(key: UseKey, name: string): string {
  if (name === '') return key === 'phase' ? 'Without a phase' : 'Not known'
  if (key === 'phase') return `Phase ${name}`
  if (key === 'kind') return isKind(name) ? kinds[name] : name
  if (key === 'day') return dayName(name)
  return key === 'agent' ? agentName(name) : name
}

/** `openai/docs-agent` is a sub-agent of the built-in one. */
function agentName(name: string): string {
  const at = name.indexOf('/')
  if (at < 0) return titleOf(name)
  return `${titleOf(name.slice(0, at)) || 'Not known'} › ${name.slice(at + 1)}`
}
