import { expect, test } from 'vitest'
import { ContextMeter, windowIn } from './context-meter.ts'

test('before a model has counted, a token has four characters', () => {
  const meter = new ContextMeter(1000)
  expect(meter.used(2000)).toBe(500)
  expect(meter.percent(2000)).toBe(50)
})

test("a model's count is known, and later additions are estimated by it", () => {
  const meter = new ContextMeter(10_000)
  meter.heard({ input: 1000, output: 50 }, 2000, 100) // two characters a token
  expect(meter.used(2100)).toBe(1050)
  expect(meter.used(2300)).toBe(1150)
  expect(meter.used(1100)).toBe(550)
})

test("a model's own thoughts are not sent again", () => {
  const meter = new ContextMeter(10_000)
  meter.heard({ input: 1000, output: 900, reasoning: 850 }, 4000, 200)
  expect(meter.used(4200)).toBe(1050)
})

test('a model that does not count, or counts too little, is estimated', () => {
  const meter = new ContextMeter(1000)
  meter.heard(null, 2000, 400)
  expect(meter.used(2400)).toBe(600)
  const shy = new ContextMeter(1000)
  shy.heard({ input: 1, output: 0 }, 2000, 0)
  expect(shy.used(2400)).toBe(101)
})

test("a refusal teaches the window's size, by its sentence or by the size of the request, and it never grows", () => {
  const meter = new ContextMeter(100_000)
  meter.tooLong(40_000, null)
  expect(meter.window).toBe(10_000)
  meter.tooLong(40_000, 8192)
  expect(meter.window).toBe(8192)
  meter.tooLong(40_000, 1_000_000)
  expect(meter.window).toBe(8192)
})

test('a conversation that begins anew is empty, of the same model', () => {
  const meter = new ContextMeter(10_000)
  meter.heard({ input: 9000, output: 0 }, 18_000, 0)
  meter.begin()
  expect(meter.used(200)).toBe(100)
})

test.each([
  ["This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8192],
  ['prompt is too long: 209000 tokens > 200,000 maximum', 200_000],
  ['the request exceeds the available context size (4096 tokens), try increasing it', 4096],
  ['input length and `max_tokens` exceed context limit: 190000', 190_000],
  ['too many tokens', null],
])('the window in "%s" is %s', (sentence, window) => {
  expect(windowIn(sentence)).toBe(window)
})
