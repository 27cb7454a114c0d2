import { expect, test } from 'vitest'
import { counted, shortCount } from './count-text.ts'

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

test('a counted noun has its plural', () => {
  expect([counted(1, 'line'), counted(12_413, 'line'), counted(0, 'entry', 'entries')]).toEqual([
    '1 line',
    '12,413 lines',
    '0 entries',
  ])
})
