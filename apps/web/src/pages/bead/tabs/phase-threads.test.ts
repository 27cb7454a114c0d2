import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { expect, test } from 'vitest'
import { phaseThreads } from './phase-threads.ts'

type InPhase = NonNullable<ExecutionView['inPhases']>[number]
const SECOND = 1000

function execution(sessions: (Partial<Session> & { of?: Omit<InPhase, 'id'> })[]) {
  const all = sessions.map(
    (given, at) =>
      ({
        id: `s${at + 1}`,
        number: at + 1,
        kind: 'work',
        attempt: 1,
        state: 'ended',
        outcome: 'success',
        startedAt: 0,
        endedAt: 5 * SECOND,
        ...given,
      }) as Session,
  )
  const inPhases = sessions.flatMap(({ of }, at) => (of ? [{ ...of, id: `s${at + 1}` } as InPhase] : []))
  return { sessions: all, inPhases, verifications: [], reason: null }
}
const subtask = (phase: number, id: string, phaseAttempt = 1) => ({
  of: { phase, subtask: id, role: 'subtask', phaseAttempt } as const,
})
const step = (phase: number, role: 'check' | 'review' | 'fix', phaseAttempt = 1) => ({
  of: { phase, subtask: '', role, phaseAttempt } as const,
})
const titles = (...args: Parameters<typeof phaseThreads>) =>
  phaseThreads(...args).map(({ level, title }) => `${'  '.repeat(level)}${title}`)

test('an execution by a plan is shown phase by phase, subtask by subtask, whatever ran side by side', () => {
  const ran = execution([
    { kind: 'setup' },
    subtask(1, '1a'),
    subtask(1, '1b'),
    { ...subtask(1, '1a') },
    { kind: 'service', service: 'db' },
    { kind: 'verify', ...step(1, 'check') },
    step(1, 'review'),
    subtask(1, '1a', 2),
    subtask(2, '2a'),
    { kind: 'save' },
  ])
  expect(titles(ran, [{ number: 1, status: 'completed', subtasks: [{ id: '1a', title: 'Tests' } as never] }])).toEqual([
    'Setup',
    'Phase 1',
    '  1a Tests',
    '    Session 1',
    '    Session 2',
    '  1b',
    '  Checks',
    '  Review',
    '  1a Tests, again',
    'Phase 2',
    '  2a',
  ])
})

test('a running session says so without a time, an ended one how long it took', () => {
  const ran = execution([subtask(1, '1a'), { ...subtask(1, '1b'), state: 'running', outcome: null, endedAt: null }])
  expect(phaseThreads(ran, []).map(({ live, end }) => [live, end])).toEqual([
    [true, ''],
    [false, '5 s'],
    [true, ''],
  ])
})
