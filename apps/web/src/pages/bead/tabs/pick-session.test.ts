import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { expect, test } from 'vitest'
import { pickSession, readingOrder, stepSession } from './pick-session.ts'

const session = (id: string, kind: Session['kind'], outcome: Session['outcome']) =>
  ({ id, kind, outcome, state: outcome === null ? 'running' : 'ended' }) as Session
const run = (state: ExecutionView['state'], ...sessions: Session[]) =>
  ({ state, sessions, verifications: [] as ExecutionView['verifications'] }) as ExecutionView
const picked = (runs: ExecutionView[], wanted?: string, watched?: string) =>
  pickSession(runs, wanted, watched)?.session.id

const setup = session('1', 'setup', 'success')
const work = session('2', 'work', 'success')
test('a running session comes first', () => {
  expect(picked([run('RUNNING', setup, session('2', 'work', null))])).toBe('2')
})
test('a failed run shows its last failure, but not a failed save of its leftovers', () => {
  expect(picked([run('FAILED', setup, work, session('3', 'verify', 'failed'), session('4', 'save', 'failed'))])).toBe(
    '3',
  )
})
test('a viewer of the agent stays there during its checks and when they fail, and moves on with its next session', () => {
  const checking = session('3', 'verify', null)
  expect(picked([run('RUNNING', setup, work, checking)], undefined, '2')).toBe('2')
  expect(picked([run('FAILED', setup, work, session('3', 'verify', 'failed'))], undefined, '2')).toBe('2')
  expect(picked([run('RUNNING', setup, work, checking)], '3', '2')).toBe('3')
  const again = session('4', 'work', null)
  expect(picked([run('RUNNING', setup, work, session('3', 'verify', 'failed'), again)], undefined, '2')).toBe('4')
  expect(picked([run('RUNNING', session('5', 'setup', null)), run('FAILED', setup, work)], undefined, '2')).toBe('5')
})
test('a failed run does not show checks that were expected to fail', () => {
  const red = session('3', 'verify', 'failed')
  const verifications = [{ session: red.id, passed: true }] as ExecutionView['verifications']
  expect(picked([{ ...run('FAILED', setup, work, red, session('4', 'work', 'success')), verifications }])).toBe('4')
})
test('a completed run shows its agent', () => {
  expect(picked([run('COMPLETED', setup, work, session('3', 'verify', 'success'))])).toBe('2')
})
test('a link to a session of an older run leads there', () => {
  expect(picked([run('QUEUED'), run('COMPLETED', setup, work)], '1')).toBe('1')
})
test('a queued run has nothing to show yet, but an older run may', () => {
  expect(picked([run('QUEUED')])).toBeUndefined()
  expect(picked([run('QUEUED'), run('COMPLETED', setup, work)])).toBe('2')
})
test('stepping goes from session to session over all runs, oldest first, and stops at the ends', () => {
  const again = session('9', 'work', 'success')
  const runs = [run('COMPLETED', again), run('FAILED', setup, work)]
  const step = (from: Session, by: 1 | -1) => stepSession(runs, from, by)?.id ?? null
  expect([step(setup, 1), step(work, 1), step(again, -1)]).toEqual(['2', '9', '2'])
  expect([step(setup, -1), step(again, 1), step(session('7', 'work', null), 1)]).toEqual([null, null, null])
})

test('sessions are listed in the order of the threads, each once, and sessions without a thread come last', () => {
  const sessions = ['ex.1', 'ex.2', 'ex.3'].map((id) => ({ id: id as Session['id'] }))
  expect(readingOrder(sessions)).toEqual(['ex.1', 'ex.2', 'ex.3'])
  expect(readingOrder(sessions, [{ session: null }, { session: 'ex.3' }, { session: 'ex.1' }])).toEqual([
    'ex.3',
    'ex.1',
    'ex.2',
  ])
})
