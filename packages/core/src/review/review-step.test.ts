import { expect, test } from 'vitest'
import { parseSessionId } from '../records/ids.ts'
import type { AskHistory } from './ask-step.ts'
import { reviewStep } from './review-step.ts'

const ids = [1, 2, 3, 4].map((number) => parseSessionId(`ex-0123456789.${number}`))
type Row = Pick<AskHistory['sessions'][number], 'attempt' | 'state' | 'outcome'> & { detail?: string }
const ended = (attempt: number, outcome: Row['outcome']): Row => ({ attempt, state: 'ended', outcome })
const good = '{"issues":[],"summary":"fine","pr_ready":true}'

function next(
  rows: Row[],
  answers: string[] = [],
  maxSessions = 10,
  answered = 0,
  questions?: AskHistory['questions'],
) {
  const sessions = rows.map((row, at) => ({ id: ids[at]!, kind: 'work' as const, detail: '', ...row }))
  const given = answers.flatMap((text, at) => (text === '' ? [] : [{ session: ids[at]!, text }]))
  return reviewStep({ maxSessions, answered, sessions, answers: given, ...(questions && { questions }) })
}

test('a review begins with a fresh session', () => {
  expect(next([])).toEqual({ do: 'ask', attempt: 1, wrong: null })
})
test('a session that has begun is taken up again after a restart', () => {
  expect(next([{ attempt: 1, state: 'running', outcome: null }])).toEqual({ do: 'adopt', session: ids[0], attempt: 1 })
})
test('a session that failed by itself is asked again if a retry of it is decided, and otherwise ends the review', () => {
  expect(next([ended(1, 'failed')], [], 10, 1)).toEqual({ do: 'ask', attempt: 1, wrong: null })
  expect(next([ended(1, 'failed')])).toEqual({ do: 'end_as_session', session: ids[0] })
})
test('a good answer is judged', () => {
  expect(next([ended(1, 'success')], [good])).toMatchObject({ do: 'judge', parsed: { answer: { pr_ready: true } } })
})
test('an unusable answer is asked for once more, with its problem, and then judged as none', () => {
  expect(next([ended(1, 'success')], ['approved'])).toMatchObject({ do: 'ask', attempt: 2, wrong: /not one JSON/ })
  expect(next([ended(1, 'success')])).toEqual({ do: 'ask', attempt: 2, wrong: 'there is no answer' })
  expect(next([ended(1, 'success'), ended(2, 'success')], ['approved', 'approved'])).toMatchObject({
    do: 'judge',
    parsed: { wrong: expect.stringContaining('not one JSON') },
  })
})
test('a session without an answer says why, in one line', () => {
  const refused = { ...ended(1, 'success'), detail: 'the model refused:\nno' }
  expect(next([refused])).toMatchObject({ do: 'ask', wrong: 'there is no answer: the model refused: no' })
  expect(next([refused], [good])).toMatchObject({ do: 'judge', parsed: { answer: {} } })
})
test('a session that broke is asked again without costing the second try, and still knows the problem', () => {
  expect(next([ended(1, 'infra_error')])).toEqual({ do: 'ask', attempt: 1, wrong: null })
  expect(next([ended(1, 'success'), ended(2, 'infra_error')])).toEqual({
    do: 'ask',
    attempt: 2,
    wrong: 'there is no answer',
  })
})
test('a session that ended badly ends the review in the same way', () => {
  expect(next([ended(1, 'turn_limit')], [good])).toEqual({ do: 'end_as_session', session: ids[0] })
})
test('sessions are counted', () => {
  expect(next([ended(1, 'infra_error')], [], 1)).toEqual({ do: 'sessions_used' })
})
test('a reviewer with a question has a person asked once, and is asked again with the question once it is answered', () => {
  const rows = [{ ...ended(1, 'blocked'), detail: 'Which one?' }]
  const none = new Set<never>()
  const first = new Set([ids[0]!])
  expect(next(rows, [], 10, 0, { toAsk: true, asked: none, heard: none })).toEqual({
    do: 'ask_person',
    session: ids[0],
  })
  expect(next(rows, [], 10, 0, { toAsk: true, asked: first, heard: none })).toMatchObject({ do: 'end_as_session' })
  expect(next(rows, [], 10, 0, { toAsk: false, asked: none, heard: none })).toMatchObject({ do: 'end_as_session' })
  const again = { do: 'ask', attempt: 1, wrong: null, question: { session: ids[0], text: 'Which one?' } }
  expect(next(rows, [], 10, 0, { toAsk: true, asked: first, heard: first })).toEqual(again)
})
test('a session that broke on its way from a question to the answer loses neither', () => {
  const questions = { toAsk: true, asked: new Set([ids[0]!]), heard: new Set([ids[0]!]) }
  const rows = [{ ...ended(1, 'blocked'), detail: 'Which one?' }, ended(1, 'infra_error')]
  const question = { session: ids[0], text: 'Which one?' }
  expect(next(rows, [], 10, 0, questions)).toMatchObject({ do: 'ask', attempt: 1, question })
  expect(next([rows[0]!, ended(1, 'failed')], [], 10, 2, questions)).toMatchObject({ do: 'ask', question })
  expect(next([...rows, ended(1, 'success')], [], 10, 0, questions)).not.toHaveProperty('question')
})
