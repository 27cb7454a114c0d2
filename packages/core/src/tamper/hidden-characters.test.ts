import { expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'

test.each([
  ['a.test.ts', '+  /* fast \u2066 only */ expect(a).toBe(1)'],
  ['a.test.ts', "+  const name = '\u202e'"],
  ['a_test.go', '+\t\u2067x := 1'],
])('%s is shown in another order than it is read: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('in another order than it is read')])
})

test.each([
  ['test_a.py', '+# -*- coding: utf-7 -*-', 'utf-7'],
  ['conftest.py', '+# coding=unicode_escape', 'unicode_escape'],
])('%s is read in an encoding that hides code: %j', (path, lines, word) => {
  expect(found(file(path, lines))).toEqual([`${path} is read in an encoding that hides code (${word})`])
})

test.each([
  ['a.test.ts', "+  expect(hello).toBe('\u2068Ann\u2069')"],
  ['a.test.ts', "+  expect(slug('\u05d0 \u200fb')).toBe('\u05d0-b')"],
  ['a.test.ts', "-  const name = '\u202e'"],
  ['test_a.py', '+# -*- coding: utf-8 -*-'],
  ['test_a.py', '+# the coding of names: latin-1'],
])('%s hides nothing: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
