import { expect, test } from 'vitest'
import { bytesText, countOf, shortCount } from './count-text.ts'

test('counts are short on cards', () => {
  expect([812, 1000, 12_413, 104_233, 999_700, 1_250_000, 999_700_000, 9_007_199_254_740_991].map(shortCount)).toEqual([
    '812',
    '1k',
    '12.4k',
    '104k',
    '1M',
    '1.3M',
    '1B',
    '9007T',
  ])
})
test('sizes are in powers of 1024', () => {
  expect([100, 1536, 41 * 1024 ** 3].map(bytesText)).toEqual(['100 B', '1.5 KiB', '41 GiB'])
})

test('what is counted has its plural', () => {
  expect([countOf(1, 'line'), countOf(12_413, 'line'), countOf(0, 'entry', 'entries')]).toEqual([
    '1 line',
    '12,413 lines',
    '0 entries',
  ])
})
