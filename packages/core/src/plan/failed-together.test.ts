import { expect, test } from 'vitest'
import { parseSessionId } from '../records/ids.ts'
import { subtasksByPhase } from './plan-warnings.ts'
import { subtaskOf } from './plan-kit.ts'
import { failedTogether, type PhaseHistory, type PhaseSession } from './phase-step.ts'

const ended = (...outcomes: PhaseSession['outcome'][]): PhaseHistory => ({
  plan: subtasksByPhase({ subtasks: ['a', 'b', 'c'].map((id) => subtaskOf(id)) }),
  limit: 3,
  maxSessions: 100,
  answered: 0,
  phases: [{ number: 1, preCommit: 'a'.repeat(40), commit: null }],
  rounds: [{ number: 1, phase: 1, attempt: 1, kind: 'subtasks', commit: null, empty: false, conflict: null }],
  sessions: outcomes.map((outcome, at) => ({
    id: parseSessionId(`ex-0123456789.${at + 1}`),
    kind: 'work',
    attempt: 1,
    state: 'ended',
    outcome,
    detail: '',
    container: 'c',
    role: 'subtask',
    subtask: ['a', 'b', 'c'][at]!,
  })),
  verifications: [],
  answers: [],
})
const subtasks = (history: PhaseHistory) => failedTogether(history)?.failed.map(({ subtask }) => subtask)
const final = (history: PhaseHistory) => failedTogether(history)?.final?.subtask
const ended1 = parseSessionId('ex-0123456789.1')

test('each failed subtask of a round may be the reason to retry all of them', () => {
  expect(subtasks(ended('failed', 'success', 'infra_error'))).toEqual(['a', 'c'])
})

test('none is, if the retry is decided already', () => {
  expect(subtasks({ ...ended('failed', 'failed'), answered: 2 })).toEqual([])
  expect(failedTogether({ ...ended(), rounds: [] })).toBeNull()
})

test('one that no retry repeats ends the execution, whichever failed first; a question to a person does not', () => {
  expect(final(ended('failed', 'infra_error'))).toBeUndefined()
  expect(final(ended('failed', 'success', 'blocked'))).toBe('c')
  expect(final(ended('turn_limit', 'infra_error'))).toBe('a')
  const questions = { toAsk: true, asked: new Set([]), heard: new Set([]) }
  expect(final({ ...ended('blocked', 'failed'), questions })).toBeUndefined()
  expect(final({ ...ended('blocked', 'failed'), questions: { ...questions, asked: new Set([ended1]) } })).toBe('a')
})
