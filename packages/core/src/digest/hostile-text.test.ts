// @suite unit-long

import { describe, expect, test } from 'vitest'
import { DigestReader } from './digest-reader.ts'
import { DIGEST_LIMIT } from './cap.ts'
import { digestTools } from './tools.ts'

/* Text that was written to be slow to read needs no more than one look, in every tool. */

const NOTE = '\n...(truncated, showing first 2000 chars)'

/** A pattern that tries again from every place needs seconds for such a line; a linear one does not notice. */
const hostile = [
  ' ',
  'a',
  '1',
  '(',
  ')',
  ':',
  '.',
  '/',
  '\\',
  '"',
  '-',
  '=',
  '[',
  '│',
  '━',
  'a ',
  '1:',
  'a/',
  '(1',
  ' at ',
  '\u001b[',
]
const HOSTILE_LINE = 2000
/** Each line goes through the patterns of every tool; a pattern that is not linear needs seconds for a few of them. */
const TURNS = 6

test('lines that nearly have a prefix or a stamp need no more than one look', () => {
  const openings = ['> ', '::group::', '@a/b:test: ', '[', 'a: ', '2026-11-22T23:54:10.', 'a b$ ', '# ', 'a\tb\t', '']
  const reader = new DigestReader()
  for (const opening of openings)
    for (const unit of [...hostile, '@', '> ', ' | ', ': ', '] ', '2:', '\t', '$ ', '@a/', ': > ', '##['])
      for (let turn = 0; turn < TURNS; turn++)
        reader.push(`${opening}${unit.repeat(HOSTILE_LINE)}\n\n${unit}${opening}\n`)
  expect(reader.end().digest.length).toBeLessThanOrEqual(DIGEST_LIMIT + NOTE.length)
}, 10_000)

test.each([
  ['pytest', 'a line that could be counts in 2 to the n ways', `${'0 sno tests ran'.repeat(60)} in =`, 1],
  ['ava', 'thousands of lines that could explain each of its tests', explanations(), 1],
])(
  '%s reads %s in one look',
  (tool, _, text, failures) => {
    const reader = new DigestReader({ tool })
    reader.push(text)
    expect(reader.end(1).failures ?? failures).toBeGreaterThanOrEqual(failures)
  },
  10_000,
)

function explanations(): string {
  const named = Array.from({ length: 200 }, (_, at) => `  ✘ [fail]: test ${at} of many`)
  const explained = Array.from({ length: 200 }, (_, at) => [
    `  test ${at} of many`,
    ...Array<string>(1000).fill('  a b'),
  ])
  return [...named, '  ─', ...explained.flat(), '  ─', '', '  200 tests failed', ''].join('\n')
}

describe.each(digestTools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  test('needs no more than one look at a long line of anything', () => {
    const openings = ['', ...tool.signs]
    const reader = new DigestReader({ tool: name })
    for (const opening of openings)
      for (const unit of hostile) {
        const run = unit.repeat(Math.ceil(HOSTILE_LINE / unit.length)).slice(0, HOSTILE_LINE - opening.length)
        for (let turn = 0; turn < TURNS; turn++) reader.push(`${opening}${run}\n${run}${opening}\n`)
      }
    expect(reader.end().digest.length).toBeLessThanOrEqual(DIGEST_LIMIT + NOTE.length)
    expect(tool.command?.test(hostile.map((unit) => unit.repeat(500)).join(' ')) ?? false).toBe(false)
  }, 10_000)

  test('reads a document in pieces that end anywhere', () => {
    const scanner = tool.scan()
    for (const piece of hostile) scanner.raw?.(piece.repeat(30_000))
    expect(() => scanner.end()).not.toThrow()
  })

  test('has searchable signs, and a name of its own', () => {
    expect(tool.signs.length).toBeGreaterThan(0)
    expect(tool.signs.filter((sign) => sign.length < 2)).toEqual([])
    expect(digestTools.filter((other) => other.name === name)).toHaveLength(1)
  })
})
