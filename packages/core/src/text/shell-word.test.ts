import { expect, test } from 'vitest'
import { shellWord } from './shell-word.ts'

test.each([
  ['/a/b-c_1.git', '/a/b-c_1.git'],
  ['my app', "'my app'"],
  ["it's", String.raw`'it'\''s'`],
  ['$(x)', "'$(x)'"],
  ['', "''"],
])('%j is %s to a shell', (text, word) => {
  expect(shellWord(text)).toBe(word)
})
