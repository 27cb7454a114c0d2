import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { allTokens, type TokenUse } from '@beadloom/core/budget/token-use.ts'
import { countText, shortCount } from '@beadloom/core/text/count-text.ts'

/** "12.4k of 50k"; "–" if nothing has been used. */
export function tokensText({ tokens, tokenLimits }: Pick<ExecutionView, 'tokens' | 'tokenLimits'>): string {
  const limit = tokenLimits?.execution ?? null
  const used = allTokens(tokens)
  if (used === 0) return limit === null ? '–' : `0 of ${shortCount(limit)}`
  return limit === null ? shortCount(used) : `${shortCount(used)} of ${shortCount(limit)}`
}

/** Every known figure, in full. */
export function tokensInFull(tokens: TokenUse, currency = 'USD'): string {
  const { input, output, cached, reasoning, costMicros } = tokens
  return [
    `${countText(input)} in${cached === undefined ? '' : ` (${countText(cached)} cached)`}`,
    `${countText(output)} out${reasoning === undefined ? '' : ` (${countText(reasoning)} thinking)`}`,
    ...(costMicros === undefined ? [] : [moneyText(costMicros, currency)]),
  ].join(', ')
}

/** "29.5k (28.8k in, 0.7k out)", with the cost if prices are known. */
export function tokensInShort(tokens: TokenUse, currency = 'USD'): string {
  const { input, output, costMicros } = tokens
  const cost = costMicros === undefined ? '' : `, ${moneyText(costMicros, currency)}`
  return `${shortCount(allTokens(tokens))} (${shortCount(input)} in, ${shortCount(output)} out)${cost}`
}

/** An amount in millionths of a currency; small ones have four digits instead of two. */
export function moneyText(micros: number, currency: string): string {
  const amount = micros / 1e6
  const digits = amount >= 0.1 || amount === 0 ? 2 : 4
  const style = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat('en-US', style).format(amount)
}

/** The tokens of several executions together. */
export function sumOf(all: readonly TokenUse[]): TokenUse {
  const add = (key: 'cached' | 'reasoning' | 'costMicros') => {
    const known = all.flatMap((one) => one[key] ?? [])
    return known.length > 0 ? { [key]: known.reduce((sum, one) => sum + one, 0) } : {}
  }
  return {
    input: all.reduce((sum, one) => sum + one.input, 0),
    output: all.reduce((sum, one) => sum + one.output, 0),
    ...add('cached'),
    ...add('reasoning'),
    ...add('costMicros'),
  }
}
