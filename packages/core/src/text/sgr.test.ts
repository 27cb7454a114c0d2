import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applySgr, foldSgr, isPlain, plainStyle, RGB, sgrOf } from './sgr.ts'
import type { Style } from './sgr.ts'

const ESC = '\x1b'
const after = (text: string): Style => foldSgr(plainStyle, text)

const colours = fc.oneof(
  fc.integer({ min: -1, max: 255 }),
  fc.integer({ min: 0, max: 0xffffff }).map((rgb) => RGB | rgb),
)
const flag = fc.boolean()
const styles = fc.record<Style>({
  fg: colours,
  bg: colours,
  bold: flag,
  dim: flag,
  italic: flag,
  underline: flag,
  inverse: flag,
  strike: flag,
})

describe('the style after a text', () => {
  test('is the last state of each attribute', () => {
    expect(after(`${ESC}[1;33mwarning`)).toEqual({ ...plainStyle, bold: true, fg: 3 })
    expect(after(`${ESC}[1;33mwarning${ESC}[22m goes on`)).toEqual({ ...plainStyle, fg: 3 })
    expect(after(`${ESC}[38;5;208m${ESC}[48:2::1:2:3m${ESC}[4:3m`)).toEqual({
      ...plainStyle,
      fg: 208,
      bg: RGB | 0x010203,
      underline: true,
    })
  })

  test('is the one plain style again after a reset of whatever kind', () => {
    for (const reset of ['0', '', '39;49;22', '39;22;49;00']) {
      expect(foldSgr(after(`${ESC}[1;31;44m`), `${ESC}[${reset}m`)).toBe(plainStyle)
    }
  })

  test('ignores other sequences, private parameters, and incomplete or broken ones', () => {
    for (const text of [
      '[>4;2m',
      '[?1;2m',
      '[1 m',
      '[31',
      '[31\n',
      ']0;[31m\x07',
      '[31K',
      '[38;5m',
      '[48;2;1m',
      '[99m',
    ]) {
      expect(after(ESC + text)).toBe(plainStyle)
    }
  })

  test('is the same in one go and piece by piece', () => {
    const piece = fc.oneof(
      fc.constantFrom(`${ESC}`, '[', '31', ';', 'm', '\n', '\r', ']', '\x07', ' '),
      fc.integer({ min: 0, max: 110 }).map((n) => `${ESC}[${n}m`),
    )
    fc.assert(
      fc.property(fc.array(fc.array(piece)), (lines) => {
        const texts = lines.map((parts) => `${parts.join('')}\n`)
        expect(foldSgr(plainStyle, texts.join(''))).toEqual(texts.reduce(foldSgr, plainStyle))
      }),
    )
  })
})

test('a style is written as parameters that make it again', () => {
  expect(sgrOf(plainStyle)).toBe('')
  expect(sgrOf(after(`${ESC}[31;1m`))).toBe('1;31')
  expect(sgrOf(after(`${ESC}[92;107m`))).toBe('92;107')
  fc.assert(
    fc.property(styles, (style) => {
      expect(applySgr(plainStyle, sgrOf(style))).toEqual(style)
      expect(sgrOf(style) === '').toBe(isPlain(style))
    }),
  )
})
