import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration } from '../src/index.js'

test('gives the two largest units of a duration', () => {
  assert.equal(formatDuration(0), '0ms')
  assert.equal(formatDuration(850), '850ms')
  assert.equal(formatDuration(93_000), '1m 33s')
  assert.equal(formatDuration(7_500_000), '2h 5m')
  assert.equal(formatDuration(273_600_000), '3d 4h')
})

test('refuses what is no duration', () => {
  assert.throws(() => formatDuration(-5), RangeError)
  assert.throws(() => formatDuration(Number.POSITIVE_INFINITY), RangeError)
})
