import { describe, expect, test } from 'vitest'
import { costMicros } from './token-use.ts'
import { OWN_PRICE, priceOf, PRICES_OF } from './model-prices.ts'

const none = { prices: {}, currency: 'USD' }
const price = (model: string, input = 1000, own = none) => priceOf(model, input, own)?.price ?? null

describe('the price of a model', () => {
  test('is listed under its exact name, with the day of the list', () => {
    expect(priceOf('gpt-5-mini', 1000, none)).toEqual({
      price: { input: 0.25, cachedInput: 0.025, output: 2 },
      from: PRICES_OF,
    })
    expect(PRICES_OF).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(price('claude-sonnet-4-5-20250929')).toEqual(price('claude-sonnet-4-5'))
    expect(price('gpt-4o-2024-08-06')).toEqual(price('gpt-4o'))
  })

  test('is unknown for a model with a merely similar name, or a router’s', () => {
    expect([price('gpt-5.9'), price('gpt-5-mini-turbo'), price('openai/gpt-5'), price('constructor')]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test('is higher for long questions, or unknown for these', () => {
    expect(price('gpt-5.4', 272_000)?.input).toBe(2.5)
    expect(price('gpt-5.4', 272_001)).toEqual({ input: 5, cachedInput: 0.5, output: 22.5 })
    expect(price('gpt-6-sol', 300_000)).toBeNull()
  })

  test("is the server's if it sets one, even none", () => {
    const own = { prices: { 'gpt-5': { input: 1, output: 2 }, 'gpt-5-mini': null }, currency: 'USD' }
    expect(priceOf('gpt-5', 1000, own)).toEqual({ price: { input: 1, output: 2 }, from: OWN_PRICE })
    expect(price('gpt-5-mini', 1000, own)).toBeNull()
    expect(price('gpt-5-nano', 1000, own)).not.toBeNull()
  })

  test('is not taken from the list in another currency', () => {
    expect(price('gpt-5', 1000, { prices: {}, currency: 'EUR' })).toBeNull()
    const own = { prices: { 'gpt-5': { input: 1, output: 2 } }, currency: 'EUR' }
    expect(price('gpt-5', 1000, own)).toEqual({ input: 1, output: 2 })
  })

  test('is higher for writing to a cache than for reading from it', () => {
    const sonnet = { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 }
    expect(costMicros({ input: 1000, output: 0, cached: 900, cacheWrites: 100 }, sonnet)).toBe(300 + 240 + 375)
    // Without a price of its own, it costs as input.
    expect(costMicros({ input: 1000, output: 0, cached: 900, cacheWrites: 100 }, { input: 3, output: 15 })).toBe(3000)
    expect(costMicros({ input: 10, output: 0, cached: 900, cacheWrites: 999 }, sonnet)).toBe(38)
  })
})
