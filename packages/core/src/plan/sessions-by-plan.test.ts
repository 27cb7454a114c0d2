import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySubtasks, nineSubtasks, subtaskOf } from './plan-kit.ts'
import { MOST_FIXES, PHASE_ATTEMPTS } from './phase-step.ts'
import { phasesOf } from './phases.ts'
import { attemptsAfterPhases, sessionsByPlan } from './sessions-by-plan.ts'

const own = { maxAttempts: 3, maxSessions: 10 }

test('a plan of one subtask has the attempts of its phase beside those after it', () => {
  expect(sessionsByPlan([subtaskOf('a')], own)).toEqual({ maxAttempts: 3 + 6, maxSessions: 10 + 2 })
})

test('nine subtasks in five phases have sessions for each phase and each subtask', () => {
  expect(sessionsByPlan(nineSubtasks, own)).toEqual({ maxAttempts: 3 + 5 * 6, maxSessions: 5 * 10 + 9 * 2 })
})

test('any plan has an attempt for each round that it can have, and sessions for each subtask in each of them', () => {
  fc.assert(
    fc.property(anySubtasks, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 50 }), (subtasks, a, s) => {
      const { maxAttempts, maxSessions } = sessionsByPlan(subtasks, { maxAttempts: a, maxSessions: s })
      const phases = phasesOf(subtasks).length
      const rounds = phases * PHASE_ATTEMPTS * (1 + MOST_FIXES)
      expect(maxAttempts - rounds).toBe(a)
      expect(maxSessions - subtasks.length * PHASE_ATTEMPTS).toBe(s * phases)
    }),
  )
})

test('after the phases there are as many attempts as without a plan, and one more for each time that a person was heard', () => {
  const { maxAttempts } = sessionsByPlan(nineSubtasks, own)
  expect(attemptsAfterPhases(nineSubtasks, own, maxAttempts)).toBe(3)
  expect(attemptsAfterPhases(nineSubtasks, own, maxAttempts + 2)).toBe(5)
})
