import { describe, expect, test } from 'vitest'
import { tokenise } from '../lines/ansi.ts'
import { patternOf } from '../find/log-search.ts'
import { hitsIn, MOST_CELLS, piecesOf } from './row-text.ts'

const ESC = '\x1b'
const shownAs = (line: string) =>
  piecesOf(tokenise(line))
    .map(({ text, kind }) => (kind === 'mark' ? `{${text}}` : text))
    .join('')

describe('a row', () => {
  test('keeps every letter of its line, in order', () => {
    expect(shownAs(`a ${ESC}[31mred${ESC}[0m word`)).toBe('a red word')
  })
  test('shows marks that reorder text instead of obeying them', () => {
    expect(shownAs('user\u202egnp.exe')).toBe('user{‹U+202E›}gnp.exe')
    expect(shownAs('a\u200bb')).toBe('a{‹U+200B›}b')
  })
  test('is cut when it is very long, and says how much is missing', () => {
    const pieces = piecesOf(tokenise('x'.repeat(MOST_CELLS + 1_200_000)))
    expect(pieces.at(-1)).toMatchObject({ kind: 'more', text: ' … +1,200,000 characters' })
    expect(pieces[0]?.text).toHaveLength(MOST_CELLS)
  })
})

describe('a link of a terminal', () => {
  const link = (address: string) => piecesOf(tokenise(`a ${ESC}]8;;${address}${ESC}\\link${ESC}]8;;${ESC}\\ b`))
  test('says where it leads', () => {
    const pieces = link('https://elsewhere.example/x?y')
    expect(pieces.map(({ text }) => text)).toEqual(['a ', 'link', ' (elsewhere.example)', ' b'])
    expect(pieces[1]?.link).toEqual({ href: 'https://elsewhere.example/x?y', host: 'elsewhere.example' })
  })
  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'https://you@elsewhere.example',
    '//x',
    '',
  ])('to %s is text', (address) => {
    const pieces = link(address)
    expect(pieces.every((piece) => piece.link === null)).toBe(true)
    expect(pieces.map(({ text }) => text).join('')).toBe('a link b')
  })
  test('that changes its colour is one link, and names its host once', () => {
    const pieces = piecesOf(tokenise(`${ESC}]8;;http://h.example/${ESC}\\a${ESC}[31mb${ESC}[0m${ESC}]8;;${ESC}\\`))
    expect(pieces.map(({ text }) => text)).toEqual(['a', 'b', ' (h.example)'])
  })
})

test('a line that changes its colour with every letter costs no more than a few hundred elements', () => {
  const pieces = piecesOf(tokenise(Array.from({ length: 4000 }, (_, n) => `${ESC}[38;5;${n % 256}mx`).join('')))
  expect(pieces.length).toBeLessThan(600)
  expect(pieces.map(({ text }) => text).join('')).toBe('x'.repeat(4000))
})

test('text that a carriage return has overwritten is shown on request', () => {
  const pieces = piecesOf(tokenise('10 %\r100 %', undefined, true))
  expect(pieces.map(({ text, kind }) => (kind === 'mark' ? `{${text}}` : text)).join('')).toBe('10 %{␍}100 %')
})

describe('a hit', () => {
  const find = (line: string, text: string, current: number | null = null) => {
    const styled = tokenise(line)
    return piecesOf(
      styled,
      hitsIn(styled.text, patternOf({ text, matchCase: false, word: false, regex: false }), current),
    ).map(({ text: part, kind }) => [part, kind])
  }
  test('that spans a change of colour is found and drawn', () => {
    expect(find(`Er${ESC}[31mror${ESC}[0m here`, 'error')).toEqual([
      ['Er', 'hit'],
      ['ror', 'hit'],
      [' here', 'text'],
    ])
  })
  test('is literal, and may look like an expression', () => {
    expect(find('a.*b a.*b', '.*')).toEqual([
      ['a', 'text'],
      ['.*', 'hit'],
      ['b a', 'text'],
      ['.*', 'hit'],
      ['b', 'text'],
    ])
  })
  test('is marked when it is the current one', () => {
    expect(find('one one', 'one', 4).map(([, kind]) => kind)).toEqual(['hit', 'text', 'current'])
  })
})
