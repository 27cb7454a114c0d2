import type { PhaseProgress } from '../api/plans/phase-api.ts'
import type { SessionId } from '../records/ids.ts'
import { describe, expect, test } from 'vitest'
import { phaseSessionText, progressText } from './progress-text.ts'

const progress = (given: Partial<PhaseProgress>): string =>
  progressText({
    phase: 2,
    of: 4,
    status: 'running',
    activity: 'subtasks',
    attempt: 1,
    done: 1,
    subtasks: 2,
    ...given,
  })

describe('the progress of an execution in its plan', () => {
  test('is its phase and the number of finished subtasks', () => {
    expect(progress({})).toBe('phase 2 of 4 · 1 of 2 subtasks')
    expect(progress({ done: 0, subtasks: 1 })).toBe('phase 2 of 4 · 0 of 1 subtask')
  })

  test('is the current step after the subtasks', () => {
    expect(progress({ activity: 'checks' })).toBe('phase 2 of 4 · checks')
    expect(progress({ activity: 'mending' })).toBe('phase 2 of 4 · fixing failed checks')
    expect(progress({ activity: 'review' })).toBe('phase 2 of 4 · review')
  })

  test('says when a phase is done again', () => {
    expect(progress({ status: 'retrying', done: 0 })).toBe('phase 2 of 4, again · 0 of 2 subtasks')
  })

  test('is the phase alone once nothing runs in it', () => {
    expect(progress({ status: 'failed', activity: null })).toBe('phase 2 of 4')
  })
})

test('a session of a phase is named by its subtask, or by its purpose', () => {
  const one = { id: 'ex-1.4' as SessionId, phase: 2, subtask: '', phaseAttempt: 1 }
  expect(phaseSessionText({ ...one, role: 'subtask', subtask: '2a' })).toBe('Phase 2 · 2a')
  expect(phaseSessionText({ ...one, role: 'review', phaseAttempt: 2 })).toBe('Phase 2, again · review')
})
