import { expect, test } from 'vitest'
import type { PhaseSessionView } from '../api/plans/phase-api.ts'
import type { SessionId } from '../records/ids.ts'
import { isRejectedReview } from './rejected-review.ts'

const id = (number: number) => `ex-0000000001.${number}` as SessionId
/** "2.1 review": phase 2, first attempt. */
const sessions = (...of: string[]) =>
  of.map((one, at) => {
    const [, phase, phaseAttempt, role] = /^(\d)\.(\d) (\w+)$/.exec(one) ?? []
    return {
      id: id(at + 1),
      role: role as PhaseSessionView['role'],
      subtask: '',
      phase: Number(phase),
      phaseAttempt: Number(phaseAttempt),
    }
  })
const rejected = (inPhases: ReturnType<typeof sessions>, reason: 'phase_review_failed' | null = null) =>
  inPhases.flatMap((one, at) => (isRejectedReview(one.id, { inPhases, reason }) ? [at + 1] : []))

test('a review said no if its phase was done once more', () => {
  expect(rejected(sessions('1.1 review', '2.1 subtask', '2.1 review', '2.2 subtask', '2.2 review'))).toEqual([3])
  expect(rejected(sessions('1.1 review', '2.1 subtask', '2.1 review', '2.2 subtask'))).toEqual([3])
})

test('a review said no if its execution ended because of it', () => {
  const twice = sessions('1.1 review', '2.1 review', '2.2 subtask', '2.2 review')
  expect(rejected(twice, 'phase_review_failed')).toEqual([2, 4])
  expect(rejected(twice)).toEqual([2])
})

test('it is unknown that a review said no while it is the newest event', () => {
  expect(rejected(sessions('1.1 subtask', '1.1 check', '1.1 review'))).toEqual([])
})

test('a review that was asked again gave no answer, and one without a plan rejects no phase', () => {
  expect(rejected(sessions('1.1 review', '1.1 review', '1.2 subtask'))).toEqual([2])
  expect(isRejectedReview(id(1), { reason: 'phase_review_failed' })).toBe(false)
})
