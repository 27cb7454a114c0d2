import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pad } from '../src/index.js'

test('fills up on the right or on the left', () => {
  assert.equal(pad('ab', 4), 'ab  ')
  assert.equal(pad('ab', 4, 'right'), '  ab')
  assert.equal(pad('abcdef', 4), 'abcdef')
})

test('refuses an alignment that it does not know', () => {
  assert.throws(() => pad('ab', 4, 'middle'), TypeError)
})
