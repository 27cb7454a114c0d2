/**
 * Tokens that a model counted, or that were estimated. `cached` is the part of `input` that was read from or written to
 * a cache; `cacheWrites` is the written part of `cached`; `reasoning` is the hidden part of `output`; `costMicros` is
 * in millionths of the prices' currency. A missing field is unknown: no price is set, or the model's API does not tell.
 */
export type TokenUse = {
  input: number
  output: number
  cached?: number
  cacheWrites?: number
  reasoning?: number
  costMicros?: number
}

export const allTokens = ({ input, output }: TokenUse): number => input + output

/** The price of a model for a million tokens, in the currency that the server's configuration names. */
export type Price = {
  input: number
  cachedInput?: number | undefined
  /** The price of input that is written to a cache; absent: as other input. */
  cacheWrite?: number | undefined
  output: number
}

/** Prices by the endpoint's name of the model. Null: nobody wants to know the price. */
export type Prices = Record<string, Price | null>

/** In whole millionths of the currency. Cached input costs the same as other input unless it has a price. */
export function costMicros(use: TokenUse, price: Price): number {
  const cached = Math.min(use.cached ?? 0, use.input)
  const written = Math.min(use.cacheWrites ?? 0, cached)
  const read = cached - written
  const { cachedInput = price.input, cacheWrite = price.input } = price
  // The price of a million tokens in units is the price of one token in millionths.
  return Math.round(
    (use.input - cached) * price.input + read * cachedInput + written * cacheWrite + use.output * price.output,
  )
}
