import { expect, test } from 'vitest'
import { parseSessionId, type SessionId } from '../records/ids.ts'
import { subtasksByPhase } from './plan-warnings.ts'
import { subtaskOf } from './plan-kit.ts'
import {
  continued,
  failedTogether,
  phaseStep,
  subtasksToStart,
  type PhaseHistory,
  type PhaseSession,
  type Round,
} from './phase-step.ts'

/* Agents of subtasks that end their turn with a question. */

const idOf = (number: number): SessionId => parseSessionId(`ex-0123456789.${number}`)

const round: Round = { number: 1, phase: 1, attempt: 1, kind: 'subtasks', commit: null, empty: false, conflict: null }

type End = [subtask: string, outcome: PhaseSession['outcome']]

/** Three subtasks side by side in one phase; `ends`: their sessions, in order. */
function history(ends: readonly End[], { toAsk = true, asked = [] as number[], heard = [] as number[] } = {}) {
  const sessions = ends.map(([subtask, outcome], at): PhaseSession => ({
    id: idOf(at + 1),
    kind: 'work',
    attempt: 1,
    state: outcome === null ? 'running' : 'ended',
    outcome,
    detail: `Which ${subtask}?`,
    container: 'c',
    role: 'subtask',
    subtask,
  }))
  const known: PhaseHistory = {
    plan: subtasksByPhase({ subtasks: ['a', 'b', 'c'].map((id) => subtaskOf(id)) }),
    limit: 3,
    maxSessions: 10,
    answered: 0,
    questions: { toAsk, asked: new Set(asked.map(idOf)), heard: new Set(heard.map(idOf)) },
    phases: [{ number: 1, preCommit: 'a'.repeat(40), commit: null }],
    rounds: [round],
    sessions,
    verifications: [],
    answers: [],
  }
  return known
}

const askedAll: End[] = [
  ['a', 'success'],
  ['b', 'blocked'],
  ['c', 'blocked'],
]

test('all questions of a phase are asked at once, and only once', () => {
  const step = phaseStep(history(askedAll))
  expect(step).toMatchObject({ do: 'ask_person', sessions: [{ subtask: 'b' }, { subtask: 'c' }] })
  expect(phaseStep(history(askedAll, { asked: [2, 3] }))).toMatchObject({ do: 'end_as_session', subtask: 'b' })
  expect(phaseStep(history(askedAll, { toAsk: false }))).toMatchObject({ do: 'end_as_session', subtask: 'b' })
})

test('nobody is asked if a subtask has failed in another way, which ends the execution', () => {
  const ends: End[] = [
    ['a', 'blocked'],
    ['b', 'failed'],
  ]
  expect(phaseStep(history(ends))).toMatchObject({ do: 'end_as_session', subtask: 'b' })
})

test('answered subtasks continue one after the other, before any other starts, whatever the limit of sessions', () => {
  const answered = history(askedAll, { asked: [2, 3], heard: [2, 3] })
  expect(phaseStep(answered)).toMatchObject({ do: 'subtasks', ids: ['b'] })
  expect(subtasksToStart(answered, round, new Set(['b']))).toEqual([])
  expect(phaseStep({ ...answered, maxSessions: 3 })).toMatchObject({ do: 'subtasks', ids: ['b'] })
  expect(continued(answered, round, 'b')).toMatchObject({ id: idOf(2) })
  expect(continued(answered, round, 'a')).toBeNull()
  const next = history([...askedAll, ['b', 'success']], { asked: [2, 3], heard: [2, 3] })
  expect(phaseStep(next)).toMatchObject({ do: 'subtasks', ids: ['c'] })
  expect(
    phaseStep(history([...askedAll, ['b', 'success'], ['c', 'success']], { asked: [2, 3], heard: [2, 3] })),
  ).toMatchObject({ do: 'join' })
})

test('an answered subtask may ask again', () => {
  const again = history([...askedAll, ['b', 'blocked'], ['c', 'success']], { asked: [2, 3], heard: [2, 3] })
  expect(phaseStep(again)).toMatchObject({ do: 'ask_person', sessions: [{ id: idOf(4), subtask: 'b' }] })
})

test('an answered subtask goes on before another one asks again', () => {
  const again = history([...askedAll, ['b', 'blocked']], { asked: [2, 3], heard: [2, 3] })
  expect(phaseStep(again)).toMatchObject({ do: 'subtasks', ids: ['c'] })
  const both = history([...askedAll, ['b', 'blocked'], ['c', 'blocked']], { asked: [2, 3], heard: [2, 3] })
  expect(phaseStep(both)).toMatchObject({ do: 'ask_person', sessions: [{ id: idOf(4) }, { id: idOf(5) }] })
})

test('a person is asked once nothing else is to be repeated, and a question keeps no failure from its retry', () => {
  const ends: End[] = [
    ['a', 'infra_error'],
    ['b', 'blocked'],
    ['c', 'failed'],
  ]
  expect(failedTogether(history(ends))).toMatchObject({ failed: [{ subtask: 'a' }, { subtask: 'c' }], final: null })
  expect(failedTogether(history(ends, { toAsk: false }))).toMatchObject({ final: { subtask: 'b' } })
  const retried = { ...history(ends), answered: 3 }
  expect(phaseStep(retried)).toMatchObject({ do: 'subtasks', ids: ['a', 'c'] })
  expect(subtasksToStart(retried, round, new Set(['a']))).toEqual(['c'])
  const after = { ...history([...ends, ['a', 'success'], ['c', 'success']]), answered: 3 }
  expect(phaseStep(after)).toMatchObject({ do: 'ask_person', sessions: [{ id: idOf(2) }] })
})

test('a subtask that was never begun waits until the question beside it is answered', () => {
  const one = history([['a', 'blocked']])
  expect(phaseStep(one)).toMatchObject({ do: 'ask_person', sessions: [{ subtask: 'a' }] })
})

test('a session that broke on its way from a question to the answer loses neither', () => {
  const known = { asked: [2, 3], heard: [2, 3] }
  const broken = history([...askedAll, ['b', 'infra_error']], known)
  const retried = { ...broken, answered: 4, maxSessions: 4 }
  expect(phaseStep(retried)).toMatchObject({ do: 'subtasks', ids: ['b'] })
  expect(continued(retried, round, 'b')).toMatchObject({ id: idOf(2) })
  expect(continued(retried, round, 'b', idOf(4))).toMatchObject({ id: idOf(2) })
  expect(continued(retried, round, 'b', idOf(2))).toBeNull()
  const asked = history([...askedAll, ['b', 'blocked']], { ...known, heard: [2, 3, 4] })
  expect(continued(asked, round, 'b')).toMatchObject({ id: idOf(4) })
})

test('a message that no agent has read is heard without a question to a person', () => {
  expect(phaseStep(history(askedAll, { toAsk: false, heard: [2] }))).toMatchObject({
    do: 'end_as_session',
    subtask: 'c',
  })
  const one: End[] = [
    ['a', 'success'],
    ['b', 'blocked'],
    ['c', 'success'],
  ]
  expect(phaseStep(history(one, { toAsk: false, heard: [2] }))).toMatchObject({ do: 'subtasks', ids: ['b'] })
})
