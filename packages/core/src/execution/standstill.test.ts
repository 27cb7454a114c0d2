import { expect, test } from 'vitest'
import type { Verification } from '../records/verification.ts'
import { failedStep } from '../testing/sample-follow-up.ts'
import { sameFailureTwice } from './standstill.ts'

/** An attempt whose check failed in both runs. */
const failed = (attempt: number, patch: Partial<Verification> = {}) =>
  [1, 2].map((run) => failedStep(attempt, { run, commit: `c${attempt}`, ...patch }))

test('two attempts with the same failures are compared by their commits', () => {
  expect(sameFailureTwice([...failed(1), ...failed(2)], 2)).toEqual({ from: 'c1', to: 'c2' })
})

test('the first failed attempt stands still with none', () => {
  expect(sameFailureTwice(failed(1), 1)).toBeNull()
  expect(sameFailureTwice([], 1)).toBeNull()
})

test('another error, another check, or one more of them is progress', () => {
  const first = failed(1)
  expect(sameFailureTwice([...first, ...failed(2, { fingerprint: 'other' })], 2)).toBeNull()
  expect(sameFailureTwice([...first, ...failed(2, { name: 'lint' })], 2)).toBeNull()
  const more = [...failed(2), failedStep(2, { run: 2, name: 'lint', step: 2, commit: 'c2' })]
  expect(sameFailureTwice([...first, ...more], 2)).toBeNull()
})

test('the attempt before need not be the number before: sessions that broke were never checked', () => {
  expect(sameFailureTwice([...failed(1), ...failed(4)], 4)).toEqual({ from: 'c1', to: 'c4' })
})

test('only the nearest failed attempt counts: going back to an older failure is a change', () => {
  const rows = [...failed(1), ...failed(2, { fingerprint: 'other' }), ...failed(3)]
  expect(sameFailureTwice(rows, 3)).toBeNull()
})

test('a failure after the merge is compared as well: only its last verification counts', () => {
  const passed = [failedStep(1, { passed: true, commit: 'c1' }), failedStep(2, { passed: true, commit: 'c2' })]
  const merged = (attempt: number) => failed(attempt, { purpose: 'merge', commit: `m${attempt}` })
  expect(sameFailureTwice([...passed, ...merged(1), ...merged(2)], 2)).toEqual({ from: 'm1', to: 'm2' })
})

test('an attempt in which a person asked for something is left out', () => {
  const rows = [...failed(1), ...failed(2), ...failed(3)]
  expect(sameFailureTwice(rows, 2, new Set([2]))).toBeNull()
  expect(sameFailureTwice(rows, 3, new Set([2]))).toEqual({ from: 'c1', to: 'c3' })
})
