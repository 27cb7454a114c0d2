import { expect, test } from 'vitest'
import { bytesText } from './bytes-text.ts'

test('sizes are in powers of 1024', () => {
  expect([100, 1536, 41 * 1024 ** 3].map(bytesText)).toEqual(['100 B', '1.5 KiB', '41 GiB'])
})
