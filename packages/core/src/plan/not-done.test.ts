import { describe, expect, test } from 'vitest'
import { failedSubtasks, isFailure, notDone, type DoneFacts } from './not-done.ts'
import { subtaskOf } from './plan-kit.ts'
import type { PhaseRole, Round } from './phase-step.ts'
import { sessionOutcomes, type SessionOutcome } from '../records/session.ts'

const round = (number: number, patch: Partial<Round> = {}): Round => ({
  number,
  phase: 1,
  attempt: 1,
  kind: 'subtasks',
  commit: null,
  empty: false,
  conflict: null,
  ...patch,
})
const session = (attempt: number, subtask: string, outcome: SessionOutcome | null, role: PhaseRole = 'subtask') => ({
  attempt,
  role,
  subtask,
  outcome,
  detail: `why ${subtask}`,
})
const facts = (sessions: DoneFacts['sessions'], rounds = [round(1)]): DoneFacts => ({
  subtasks: ['a', 'b', 'c'].map((id) => subtaskOf(id, { title: id.toUpperCase() })),
  of: 2,
  rounds,
  sessions,
})

describe('the subtasks that were not done', () => {
  test('are named in the order of the plan, whichever failed first', () => {
    const both = facts([session(1, 'c', 'failed'), session(1, 'a', 'blocked'), session(1, 'b', 'success')])
    expect(failedSubtasks(both)).toEqual([
      { words: 'subtask a "A" (1 of 3)', why: 'why a', asks: true },
      { words: 'subtask c "C" (3 of 3)', why: 'why c', asks: false },
    ])
    expect(notDone(both)).toBe(' Not done: subtask a "A" (1 of 3), subtask c "C" (3 of 3).')
  })

  test('are not those that succeeded when they were repeated', () => {
    expect(failedSubtasks(facts([session(1, 'a', 'failed'), session(1, 'a', 'success')]))).toEqual([])
    expect(failedSubtasks(facts([session(1, 'a', 'success'), session(1, 'a', 'failed')]))).toHaveLength(1)
  })

  test('are those of the newest round only', () => {
    const later = facts([session(1, 'a', 'failed'), session(2, 'b', 'failed')], [round(1), round(2)])
    expect(failedSubtasks(later).map(({ why }) => why)).toEqual(['why b'])
    expect(failedSubtasks(facts([session(1, 'a', 'failed')], []))).toEqual([])
  })

  test('are not told where the end itself names the only one', () => {
    const one = facts([session(1, 'a', 'failed')])
    expect(notDone(one, 2)).toBe('')
    expect(notDone(one)).not.toBe('')
  })
})

describe("an agent's step for a whole phase", () => {
  const fix = [round(1), round(2, { kind: 'fix' })]

  test('is named if it failed, and no subtask of its round did', () => {
    expect(notDone(facts([session(2, '', 'failed', 'fix')], fix))).toBe(
      ' Not done: mending what the checks of phase 1 of 2 found.',
    )
    expect(notDone(facts([session(1, '', 'turn_limit', 'review')]))).toBe(' Not done: the review of phase 1 of 2.')
  })

  test('is not named if it went well, was of an earlier round, or was not the last', () => {
    expect(notDone(facts([session(2, '', 'success', 'fix')], fix))).toBe('')
    expect(notDone(facts([session(1, '', 'failed', 'review')], fix))).toBe('')
    expect(notDone(facts([session(1, '', 'failed', 'review'), session(1, 'a', 'success')]))).toBe('')
  })
})

test('a session failed by itself if it ended neither well nor by a cancel', () => {
  const failures = [...sessionOutcomes, null].filter(isFailure)
  expect(failures).toEqual(['failed', 'timeout', 'turn_limit', 'blocked', 'infra_error'])
})
