import { expect, test } from 'vitest'
import { shown } from './hostile-text.ts'

test.each([
  ['a control character', 'a\u0000b\u001b[2Jc\u0007\u007f\u009b', 'a␀b␛[2Jc␇␡‹U+009B›'],
  ['a mark of direction', 'a\u202egnp.exe', 'a‹U+202E›gnp.exe'],
  ['a mark beyond the first plane', 'a\u{e0041}', 'a‹U+E0041›'],
])('%s is shown by its picture or name', (_what, text, seen) => {
  expect(shown(text)).toBe(seen)
})

test.each(['two\nlines\r\nand a\ttab', 'naïve café, 日本語', '👩‍🚀 🏳️‍🌈', ''])(
  'ordinary text stays as it is: %j',
  (text) => {
    expect(shown(text)).toBe(text)
  },
)
