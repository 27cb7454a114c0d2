import type { Price, Prices } from './token-use.ts'

/** The day of the prices below. */
export const PRICES_OF = '2026-10-24'
/** Their currency, ISO 4217. */
export const PRICES_IN = 'USD'

/**
 * `above`: if a question has more tokens than this, the whole call has another price; `null`: a price that is not known
 * here.
 */
type Listed = Price & { above?: { tokens: number; price: Price | null } }

const of = (input: number, cachedInput: number | undefined, output: number, cacheWrite?: number): Price => ({
  input,
  output,
  ...(cachedInput !== undefined && { cachedInput }),
  ...(cacheWrite !== undefined && { cacheWrite }),
})
const above = (tokens: number, price: Price | null, usual: Price): Listed => ({ ...usual, above: { tokens, price } })

/**
 * List prices at the makers' own endpoints, for a million tokens, by the names that these use. Cache writes have the
 * price for five minutes, which agents use. A missing price costs a dash on the dashboard; a wrong one costs trust. So
 * a model is here only under its exact name, with or without the date of a version after it.
 */
const listed: Readonly<Record<string, Listed>> = {
  'claude-3-5-haiku': of(0.8, 0.08, 4, 1),
  'claude-fable-5': of(10, 1, 50, 12.5),
  'claude-fable-5-1': of(10, 0.25, 50, 12.5),
  'claude-haiku-4-5': of(1, 0.1, 5, 1.25),
  'claude-haiku-5-5': above(100_000, of(0.5, 0.05, 2.5, 0.625), of(0.1, 0.01, 0.5, 0.125)),
  'claude-opus-4': of(15, 1.5, 75, 18.75),
  'claude-opus-4-1': of(15, 1.5, 75, 18.75),
  'claude-opus-4-5': of(5, 0.5, 25, 6.25),
  'claude-opus-4-6': of(5, 0.5, 25, 6.25),
  'claude-opus-4-7': of(5, 0.5, 25, 6.25),
  'claude-opus-4-8': of(5, 0.5, 25, 6.25),
  'claude-opus-5': of(5, 0.5, 25, 6.25),
  'claude-opus-5-5': of(4, 0.2, 20, 5),
  'claude-sonnet-4': of(3, 0.3, 15, 3.75),
  'claude-sonnet-4-5': of(3, 0.3, 15, 3.75),
  'claude-sonnet-4-6': of(3, 0.3, 15, 3.75),
  'claude-sonnet-5': of(2, 0.2, 10, 2.5),
  'claude-sonnet-5-5': of(2, 0.1, 10, 2.5),
  'gemini-3.1-pro-preview': above(200_000, of(4, 0.4, 18), of(2, 0.2, 12)),
  'gemini-3.5-flash': of(1.5, 0.15, 9),
  'gpt-4.1': of(2, 0.5, 8),
  'gpt-4.1-mini': of(0.4, 0.1, 1.6),
  'gpt-4.1-nano': of(0.1, 0.025, 0.4),
  'gpt-4o': of(2.5, 1.25, 10),
  'gpt-4o-mini': of(0.15, 0.075, 0.6),
  'gpt-5': of(1.25, 0.125, 10),
  'gpt-5-codex': of(1.25, 0.125, 10),
  'gpt-5-mini': of(0.25, 0.025, 2),
  'gpt-5-nano': of(0.05, 0.005, 0.4),
  'gpt-5-pro': of(15, undefined, 120),
  'gpt-5.1': of(1.25, 0.125, 10),
  'gpt-5.1-codex': of(1.25, 0.125, 10),
  'gpt-5.2': of(1.75, 0.175, 14),
  'gpt-5.2-codex': of(1.75, 0.175, 14),
  'gpt-5.2-pro': of(21, undefined, 168),
  'gpt-5.3-codex': of(1.75, 0.175, 14),
  'gpt-5.4': above(272_000, of(5, 0.5, 22.5), of(2.5, 0.25, 15)),
  'gpt-5.4-mini': of(0.75, 0.075, 4.5),
  'gpt-5.4-nano': of(0.2, 0.02, 1.25),
  'gpt-5.5': above(272_000, of(10, 1, 45), of(5, 0.5, 30)),
  'gpt-5.6-luna': above(200_000, of(0.4, 0.04, 1.8, 0.5), of(0.2, 0.02, 1.2, 0.25)),
  'gpt-5.6-sol': above(272_000, of(10, 1, 45, 12.5), of(5, 0.5, 30, 6.25)),
  'gpt-5.6-terra': above(272_000, of(4, 0.4, 18, 5), of(2, 0.2, 12, 2.5)),
  'gpt-6-luna': above(272_000, null, of(0.1, 0.01, 0.5, 0.125)),
  'gpt-6-sol': above(272_000, null, of(2, 0.2, 10, 2.5)),
  'gpt-6.1-sol': above(272_000, null, of(2, 0.1, 10, 2.5)),
  'grok-4.5': above(200_000, of(4, 1, 12), of(2, 0.5, 6)),
  'grok-4.6': above(200_000, of(4, 1, 12), of(2, 0.5, 6)),
  'o4-mini': of(1.1, 0.275, 4.4),
  o3: of(2, 0.5, 8),
}

/** `gpt-4o-2024-08-06`, `claude-sonnet-4-5-20250929`, `claude-3-5-haiku-latest`. */
const VERSION = /-(?:\d{4}-\d\d-\d\d|\d{8}|latest)$/

/** The server's own prices. With a null price, nothing is shown for that model. */
export type OwnPrices = { prices: Prices; currency: string }

/** `from`: the day of the list, or the server's own. */
export type FoundPrice = { price: Price; from: string }
export const OWN_PRICE = 'config.json'

/**
 * The price of a call for a million tokens; null if not known. The server's own price for exactly this name overrules
 * the list, which is ignored if the server has another currency.
 *
 * @param input tokens of the question, on which some prices depend
 */
export function priceOf(model: string, input: number, { prices, currency }: OwnPrices): FoundPrice | null {
  if (Object.hasOwn(prices, model)) {
    const own = prices[model] ?? null
    return own && { price: own, from: OWN_PRICE }
  }
  const name = model.replace(VERSION, '')
  const found = currency === PRICES_IN && Object.hasOwn(listed, name) ? listed[name] : undefined
  if (!found) return null
  const { above: longer, ...usual } = found
  const price = longer !== undefined && input > longer.tokens ? longer.price : usual
  return price && { price, from: PRICES_OF }
}
