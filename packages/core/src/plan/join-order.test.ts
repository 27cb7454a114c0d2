import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSessionId } from '../records/ids.ts'
import type { SessionOutcome } from '../records/session.ts'
import { isDoneOnceMore, joinOrder, resultOf, startsOnTopOf } from './join-order.ts'
import { anySubtasks, subtaskOf } from './plan-kit.ts'
import type { PhaseHistory, PhaseRole, Round } from './phase-step.ts'

const round = (patch: Partial<Round> = {}): Round => ({
  number: 1,
  phase: 1,
  attempt: 1,
  kind: 'subtasks',
  commit: null,
  empty: false,
  conflict: null,
  ...patch,
})
const session = (
  number: number,
  subtask: string,
  outcome: SessionOutcome,
  attempt = 1,
  role: PhaseRole = 'subtask',
) => ({
  id: parseSessionId(`ex-aaaaaaaaaa.${number}`),
  kind: 'work' as const,
  state: 'ended' as const,
  detail: '',
  container: 'c',
  attempt,
  role,
  subtask,
  outcome,
})
const [a, b, c] = [
  subtaskOf('a', { filesTouched: ['x.ts'] }),
  subtaskOf('b', { filesTouched: ['y.ts'] }),
  subtaskOf('c', { filesTouched: ['x.ts'] }),
]
const history = (sessions: PhaseHistory['sessions'] = []): PhaseHistory => ({
  plan: [[a, b, c]],
  limit: 3,
  maxSessions: 100,
  answered: 0,
  phases: [],
  rounds: [],
  sessions,
  verifications: [],
  answers: [],
})
const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id)
const once = [session(1, 'a', 'success'), session(2, 'b', 'success'), session(3, 'c', 'success')]
const twice = [...once, session(4, 'a', 'success')]

describe('a subtask starts', () => {
  test('on the results of those before it that may touch the same files', () => {
    expect(idsOf(startsOnTopOf(history(), round(), c, 'next'))).toEqual(['a'])
    expect(idsOf(startsOnTopOf(history(), round(), a, 'next'))).toEqual([])
  })

  test('on all others once it has conflicted with them', () => {
    expect(idsOf(startsOnTopOf(history(once), round({ conflict: 'a' }), a, 'next'))).toEqual(['b', 'c'])
    expect(idsOf(startsOnTopOf(history(once), round({ conflict: 'a' }), c, 'next'))).toEqual(['a'])
  })

  test('has the result that conflicted from its first start, and the next one from the others', () => {
    expect(idsOf(startsOnTopOf(history(once), round({ conflict: 'a' }), a, 'done'))).toEqual([])
    expect(idsOf(startsOnTopOf(history(twice), round({ conflict: 'a' }), a, 'done'))).toEqual(['b', 'c'])
  })
})

describe('results are joined', () => {
  test('in the order of the plan', () => {
    expect(idsOf(joinOrder(history(once), round()))).toEqual(['a', 'b', 'c'])
    expect(idsOf(joinOrder(history(once), round({ conflict: 'a' })))).toEqual(['a', 'b', 'c'])
  })

  test('with the one that was done on top of the others last', () => {
    expect(idsOf(joinOrder(history(twice), round({ conflict: 'a' })))).toEqual(['b', 'c', 'a'])
  })

  test('each exactly once, and each after those that it starts on, for any phase and conflict', () => {
    fc.assert(
      fc.property(anySubtasks, fc.nat(40), fc.boolean(), (subtasks, at, isRedone) => {
        const conflict = subtasks[at % subtasks.length]?.id ?? ''
        const results = subtasks.map(({ id }, number) => session(number + 1, id, 'success'))
        const sessions = isRedone ? [...results, session(99, conflict, 'success')] : results
        const all = { ...history(sessions), plan: [subtasks] }
        const of = round({ conflict })
        const order = idsOf(joinOrder(all, of))
        expect(order.toSorted()).toEqual(idsOf(subtasks).toSorted())
        for (const one of subtasks)
          for (const before of startsOnTopOf(all, of, one, 'done'))
            if (before.id !== conflict || !isRedone)
              expect(order.indexOf(before.id)).toBeLessThan(order.indexOf(one.id))
      }),
    )
  })
})

test('the result of a subtask is its newest good one in this round', () => {
  const sessions = [
    ...twice,
    session(5, 'a', 'failed'),
    session(6, 'a', 'success', 2),
    session(7, 'a', 'success', 1, 'fix'),
  ]
  expect(resultOf(history(sessions), round(), 'a')).toBe(sessions[3]?.id)
  expect(resultOf(history([session(1, 'a', 'failed')]), round(), 'a')).toBeUndefined()
})

test('a conflicting subtask is done once more in a round, and a mending session never', () => {
  expect(isDoneOnceMore(round())).toBe(true)
  expect(isDoneOnceMore(round({ conflict: 'a' }))).toBe(false)
  expect(isDoneOnceMore(round({ kind: 'fix' }))).toBe(false)
})
