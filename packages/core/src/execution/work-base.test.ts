import { expect, test } from 'vitest'
import { sampleRecord } from '../testing/sample-views.ts'
import { workBase } from './work-base.ts'

const one = (number: number, over: Parameters<typeof sampleRecord>[0] = {}) =>
  sampleRecord({ id: `ex-000000000${number}`, branch: 'beads-bl-1', baseCommit: `base-${number}`, ...over })

test('work that is only re-checked is shown from where it began', () => {
  const again = one(4, { checksFirst: true })
  const before = [one(3, { checksFirst: true }), one(2), one(1)]
  expect(workBase(again, [again, ...before])).toBe('base-2')
  expect(workBase(one(5), [one(5), again, ...before])).toBe('base-5')
  expect(workBase(again, [again, one(2, { branch: 'beads-bl-1-other-title' })])).toBe('base-4')
  expect(workBase(again, [])).toBe('base-4')
})
