import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutBlocks, fenced } from './fenced.ts'

test('a text of blocks is cut between two lines, with its open code block closed', () => {
  const text = `What happened:\n\n${fenced('one\ntwo\nthree', 100)}\n\nAnd more.`
  expect(cutBlocks(text, text.length)).toBe(text)
  expect(cutBlocks(text, 35)).toBe('What happened:\n\n```text\none\ntwo\n```')
  expect(cutBlocks(text, 20)).toBe('What happened:\n')
})

test('whatever is cut, it has at most the given length, and an even number of fences', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 6 }), fc.nat(400), (parts, limit) => {
      const cut = cutBlocks(parts.map((part) => fenced(part, 50)).join('\n\n'), limit)
      expect(cut.length).toBeLessThanOrEqual(limit)
      expect(cut.split('\n').filter((line) => /^`{3,}(?:text)?$/.test(line)).length % 2).toBe(0)
    }),
  )
})
