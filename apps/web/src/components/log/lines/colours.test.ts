import { expect, test } from 'vitest'
import { RGB } from '@beadloom/core/text/sgr.ts'
import { contrast, darkLog, fixedColour, foreground, lightLog, MIN_CONTRAST, readable } from './colours.ts'

test('every one of the 240 fixed colours can be read on both logs', () => {
  for (const theme of [lightLog, darkLog]) {
    for (let index = 16; index < 256; index++) {
      expect(contrast(readable(fixedColour(index), theme), theme.background)).toBeGreaterThanOrEqual(MIN_CONTRAST)
    }
  }
})
test('a readable colour is left as it is', () => {
  expect(foreground(RGB | 0x1d5fd1, lightLog)).toBe('#1d5fd1')
})
test('white on white does not hide text', () => {
  expect(contrast(readable(0xffffff, lightLog), lightLog.background)).toBeGreaterThanOrEqual(MIN_CONTRAST)
})
test('the first sixteen are the colours of the theme', () => {
  expect(foreground(9, darkLog)).toBe('var(--ansi-9)')
})
test('the cube and the greys are where terminals have them', () => {
  expect([16, 21, 196, 231, 232, 255].map((n) => fixedColour(n).toString(16).padStart(6, '0'))).toEqual([
    '000000',
    '0000ff',
    'ff0000',
    'ffffff',
    '080808',
    'eeeeee',
  ])
})
