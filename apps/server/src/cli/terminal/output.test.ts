import { expect, test } from 'vitest'
import { jsonText, table, terminalOf } from './output.ts'

const tty = (over: object = {}) =>
  ({ isTTY: true, columns: 80, write: () => true, ...over }) as unknown as Parameters<typeof terminalOf>[0]
const err = { write: () => true } as unknown as NodeJS.WritableStream

test('colours are for terminals, unless somebody says otherwise', () => {
  const colour = (isTTY: boolean, env: Record<string, string>) => terminalOf(tty({ isTTY }), err, env).colour
  expect(colour(true, {})).toBe(true)
  expect(colour(false, {})).toBe(false)
  expect(colour(true, { NO_COLOR: '1' })).toBe(false)
  expect(colour(true, { TERM: 'dumb' })).toBe(false)
  expect(colour(false, { FORCE_COLOR: '1' })).toBe(true)
  expect(colour(false, { FORCE_COLOR: '0' })).toBe(false)
})

test('only a terminal has a right margin', () => {
  expect(terminalOf(tty(), err, {}).columns).toBe(80)
  expect(terminalOf(tty({ isTTY: false }), err, {}).columns).toBe(Infinity)
})

test('JSON is the same value, without a character that a terminal obeys', () => {
  const value = { title: 'a\u009b2J\u001b[2J\u202eb\u007f', list: ['日本'] }
  const text = jsonText(value)
  expect(JSON.parse(text)).toEqual(value)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
})

test('a table is as wide as its contents', () => {
  expect(
    table([
      ['A', 'LONG', 'C'],
      ['日本', 'b', 'd\ne'],
    ]),
  ).toBe('A     LONG  C\n日本  b     d e')
})
