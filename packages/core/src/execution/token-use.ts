/**
 * Tokens that models counted, or estimated. `cached` is the part of `input` that was read from or written to a cache,
 * `reasoning` the part of `output` that nobody sees; `costMicros` is in millionths of the currency of the prices.
 * What is left out is not known: no price is set, or the model's API does not tell.
 */
export type TokenUse = {
  input: number
  output: number
  cached?: number
  reasoning?: number
  costMicros?: number
}

export const allTokens = ({ input, output }: TokenUse): number => input + output

/** Of a model, for a million tokens, in the currency that the server's configuration names. */
export type Price = { input: number; cachedInput?: number | undefined; output: number }

/** By the model's name as the endpoint knows it. */
export type Prices = Record<string, Price>

/** In millionths of the currency, rounded to whole ones; cached input costs as other input where no price is set. */
export function costMicros(use: TokenUse, price: Price): number {
  const cached = Math.min(use.cached ?? 0, use.input)
  const cachedPrice = price.cachedInput ?? price.input
  // For a million tokens a price in units is the same figure as for one token in millionths.
  return Math.round((use.input - cached) * price.input + cached * cachedPrice + use.output * price.output)
}
