import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncate } from '../src/index.js'

test('leaves text alone that fits', () => {
  assert.equal(truncate('hello', 5), 'hello')
})

test('counts the ellipsis as part of the width', () => {
  assert.equal(truncate('hello world', 5), 'hell…')
  assert.equal(truncate('ab', 1), '…')
})

test('refuses what is no width', () => {
  assert.throws(() => truncate('hello', 0), RangeError)
  assert.throws(() => truncate('hello', 2.5), RangeError)
})
