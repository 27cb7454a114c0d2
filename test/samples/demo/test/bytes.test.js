import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes } from '../src/index.js'

test('gives a size with the largest unit that fits', () => {
  assert.equal(formatBytes(0), '0 B')
  assert.equal(formatBytes(812), '812 B')
  assert.equal(formatBytes(1024), '1 KiB')
  assert.equal(formatBytes(1_572_864), '1.5 MiB')
  assert.equal(formatBytes(250 * 1024 ** 3), '250 GiB')
})

test('refuses what is no size', () => {
  assert.throws(() => formatBytes(-1), RangeError)
  assert.throws(() => formatBytes(Number.NaN), RangeError)
})
