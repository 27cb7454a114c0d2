import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { foldSgr, plainStyle, RGB } from '@beadloom/core/text/sgr.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenise } from './ansi.ts'

const ESC = '\x1b'
const coloured = (line: string) =>
  tokenise(line).runs.map((run) => [tokenise(line).text.slice(run.start, run.end), run.style.fg])

describe('a line of a log', () => {
  test('without sequences is its own text, and costs no runs', () => {
    expect(tokenise('plain')).toEqual({ text: 'plain', runs: [], end: plainStyle, skipped: 0 })
  })
  test('keeps the sixteen colours as numbers of the theme', () => {
    expect(coloured(`${ESC}[31mred${ESC}[0m ${ESC}[92mbright${ESC}[m`)).toEqual([
      ['red', 1],
      ['bright', 10],
    ])
  })
  test('understands 256 and true colours in both notations', () => {
    expect(coloured(`${ESC}[38;5;208ma${ESC}[38;2;1;2;3mb`)).toEqual([
      ['a', 208],
      ['b', RGB | 0x010203],
    ])
    expect(coloured(`${ESC}[38:5:208ma${ESC}[38:2::1:2:3mb${ESC}[38:2:1:2:3mc`)).toEqual([
      ['a', 208],
      ['b', RGB | 0x010203],
      ['c', RGB | 0x010203],
    ])
  })
  test('carries its style to the next line', () => {
    const first = tokenise(`${ESC}[1;33mwarning`)
    expect(tokenise('goes on', first.end).runs).toEqual([
      { start: 0, end: 7, style: { ...plainStyle, bold: true, fg: 3 }, link: null },
    ])
  })
  test('loses every other control sequence and no letter', () => {
    for (const line of [
      `${ESC}[?25lhidden cursor${ESC}[?25h`,
      `${ESC}[2K${ESC}[1Gcleared`,
      `${ESC}]8;;javascript:alert(1)${ESC}\\link${ESC}]8;;${ESC}\\`,
      `${ESC}]0;title\x07after`,
      `a\x00b\x07c`,
      `${ESC}(Bcharset`,
      `an open ${ESC}[3`,
      `${ESC}[38;5mhalf${ESC}[48;2;1mhalf`,
      `\x08${ESC}[31mred${ESC}${ESC}[0m\x07`,
    ]) {
      expect(tokenise(line).text).toBe(stripAnsi(line))
    }
  })
  test('that overwrites itself shows only its last state', () => {
    expect(tokenise('10 %\r50 %\r100 %').text).toBe('100 %')
    expect(tokenise('windows line\r').text).toBe('windows line')
    expect(tokenise('spinner\r\r').text).toBe('spinner')
  })
  test("says how much of a search's hits was overwritten", () => {
    const line = `${ESC}[32m10 %\r50 %\rdone needle`
    const { text, skipped } = tokenise(line)
    expect(stripAnsi(line).indexOf('needle') - skipped).toBe(text.indexOf('needle'))
  })
  test('keeps a colour that was set in an overwritten state', () => {
    expect(tokenise(`${ESC}[32m10 %\r100 %`).runs[0]?.style.fg).toBe(2)
  })
  test('ends with the style that the server continues from, whatever is in it', () => {
    const piece = fc.oneof(
      fc.constantFrom(ESC, '[', ']', '31', ';', ':', 'm', '\r', '\x07', '\x08', ' ', '>', '(', 'P', '\\'),
      fc.integer({ min: 0, max: 110 }).map((n) => `${ESC}[${n}m`),
      fc.integer({ min: 0, max: 0x2fff }).map((n) => (n === 10 ? 'é' : String.fromCodePoint(n))),
    )
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('', '1;31', '7;48;2;1;2;3'), (parts, before) => {
        const [line, start] = [parts.join(''), foldSgr(plainStyle, `${ESC}[${before}m`)]
        expect(tokenise(line, start).end).toEqual(foldSgr(start, line))
      }),
      { numRuns: 200 },
    )
  })
  test('never becomes markup: a tag is text', () => {
    expect(tokenise('<img src=x onerror=alert(1)>').text).toBe('<img src=x onerror=alert(1)>')
  })
})
