import { expect, test } from 'vitest'
import { DEFAULT_WINDOW, windowOf } from './model-windows.ts'

test.each([
  ['gpt-5-mini-2025-08-07', 272_000],
  ['gpt-5-chat-latest', 128_000],
  ['openai/GPT-4o', 128_000],
  ['gpt-4-0613', 8192],
  ['anthropic/claude-sonnet-4-5', 200_000],
  ['claude-opus-4-6', 1_000_000],
  ['somebody-s-own', DEFAULT_WINDOW],
  ['', DEFAULT_WINDOW],
])('the longest known prefix of %s counts', (model, window) => {
  expect(windowOf(model)).toBe(window)
})

test('the server’s own table comes first, by the exact name', () => {
  const own = { 'gpt-5': 50_000, 'local/llama': 16_000 }
  expect([windowOf('gpt-5', own), windowOf('gpt-5-mini', own), windowOf('local/llama', own)]).toEqual([
    50_000, 272_000, 16_000,
  ])
})
