import { expect, test } from 'vitest'
import { isVisible } from './visible.ts'

test.each([
  '',
  ' \n\t',
  '\u200b',
  '\u0000',
  '\u001b\u0007',
  '\u202e\u2066',
  '\u200d',
  '\ufe0f',
  '\u3164',
  '\u2800',
  '\u{e0041}',
  '\u0301',
])('nobody sees anything of %j', (text) => {
  expect(isVisible(text)).toBe(false)
})

test.each(['x', '7', '.', '\u200bno', '世界', '👍', '→', '\u0000ok'])('a person sees %j', (text) => {
  expect(isVisible(text)).toBe(true)
})
