import { expect, test } from 'vitest'
import { phaseBegins } from './phase-begins.ts'

const done = { done: { preCommit: 'before-2' }, isOnBranch: true, isMerged: false }
const begins = (
  phase: number,
  fromPhase: number,
  before: Partial<typeof done> = {},
  commits: (string | null)[] = ['one'],
) =>
  phaseBegins(
    phase,
    fromPhase,
    { ...done, ...before },
    commits.map((commit, at) => ({ number: at + 1, commit })),
  )

test('a phase that an earlier execution did is taken over, as long as the branch has its commit', () => {
  expect(begins(2, Infinity)).toEqual({ is: 'taken' })
  expect(begins(2, Infinity, { isMerged: true })).toEqual({ is: 'taken' })
  expect(begins(2, Infinity, { isOnBranch: false })).toEqual({ is: 'tip' })
})

test('a phase that nobody has done begins at the tip', () => {
  expect(phaseBegins(2, 2, { done: null, isOnBranch: false, isMerged: false }, [])).toEqual({ is: 'tip' })
})

test('phases before the one that a person wants again are kept', () => {
  expect(begins(1, 2)).toEqual({ is: 'taken' })
})

test('the one that a person wants again moves the branch back to where it began', () => {
  expect(begins(2, 2)).toEqual({ is: 'back', to: 'one' })
  expect(begins(2, 2, {}, [])).toEqual({ is: 'back', to: 'before-2' })
  expect(begins(2, 2, {}, [null])).toEqual({ is: 'back', to: 'before-2' })
})

test('phases after it begin at the new tip, although they were done before', () => {
  expect(begins(3, 2, {}, ['one', 'two'])).toEqual({ is: 'tip' })
})

test('merged work is not taken back: the phase is done again on top of it', () => {
  expect(begins(2, 2, { isMerged: true })).toEqual({ is: 'tip' })
})
