import { expect, test } from 'vitest'
import { isCut, patchLines } from './patch.ts'
import { file, found } from '../testing/sample-patch.ts'

const returns = (path: string, hidden: string, head = "it('adds', () => {") =>
  found(file(path, ` ${head}\n+${hidden}\n   expect(add(1)).toBe(2)\n })`))

test.each([
  ['a.test.ts', '  // the sum\r  return'],
  ['a.test.ts', '  // the sum\u2028  return'],
  ['a.test.ts', '  /* slow */ return'],
  ['a.test.ts', '  /* slow */ /* here */ return'],
  ['a.test.ts', '  */ return'],
  ['ATest.java', '  // the sum \\u000a  return;'],
  ['ATest.java', '  // the sum \\uu000D  return;'],
  ['a.test.ts', `  ${' '.repeat(1100)}return`],
])('in %s, %j is code for a compiler', (path, hidden) => {
  expect(returns(path, hidden)).toEqual([expect.stringContaining('may end before what it checks')])
})

test('code behind many blanks is read', () => {
  const lines = `-  expect(add(1)).toBe(2)\n+  expect(add(1)${' '.repeat(1100)} || 2).toBe(2)`
  expect(found(file('a.test.ts', lines))).toEqual([expect.stringContaining('checks less than before')])
})

test.each([
  ['a.test.ts', '  /* return */'],
  ['a.test.ts', '  // return \\u000b return'],
  ['a.test.ts', "  const feed = '// \\u000a return'"],
  ['a.test.ts', '  const one = 1\r'],
])('in %s, %j is no hidden code', (path, shown) => {
  expect(returns(path, shown)).toEqual([])
})

test('such lines count for the most that is read', () => {
  const { patch, ...rest } = file('a.test.ts', `+${'a\r'.repeat(20_001)}b`)
  expect(isCut({ ...rest, patch })).toBe(true)
  expect(isCut(file('a.test.ts', `+${'a\r\n'.repeat(5)}`))).toBe(false)
  expect(patchLines(patch).length).toBeLessThanOrEqual(20_000)
})
