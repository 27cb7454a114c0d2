import type { Verification } from '@beadloom/core/records/verification.ts'
import type { PhaseTreeView } from '@beadloom/core/api/plans/phase-api.ts'
import { describe, expect, test } from 'vitest'
import { costOfPhase, costOfSubtask, sessionsOf } from './plan-phases.ts'
import { lacksText, proofOf, stepMark } from './plan-marks.ts'
import { executionOf, id, phasesWith, ran, session } from './phases-kit.ts'

const tree = (collected: number, failing: number, passed: boolean, phaseAttempt = 1): PhaseTreeView => ({
  attempt: phaseAttempt,
  phaseAttempt,
  kind: 'subtasks',
  commit: 'c0ffee1',
  passed,
  checks: [
    {
      name: 'test',
      passed,
      summary: '',
      session: id(9),
      tests: { collected, passing: collected - failing, failing, added: 3 },
    },
  ],
  review: null,
})
const proof = (given: Parameters<typeof phasesWith>[0]) => proofOf(phasesWith(given)[0]!).map(({ text }) => text)

describe('the proof of a phase', () => {
  test('is the number of tests, the number of new ones, and the verdict of its review', () => {
    const review = { approved: true, text: 'Fine.' }
    expect(proof({ attempt: 1, trees: [tree(12, 0, true)], review })).toEqual(['12 tests, 3 new', 'approved'])
  })

  test('is that tests fail, if they are meant to', () => {
    expect(proof({ attempt: 1, trees: [tree(12, 3, true)] })).toEqual(['3 of 12 tests fail, as they should'])
  })

  test('leaves out an attempt that was done again', () => {
    expect(proof({ attempt: 2, trees: [tree(12, 0, true)] })).toEqual([])
    expect(proof({ attempt: 2, trees: [tree(12, 0, true), tree(12, 2, false, 2)] })).toEqual(['test failed'])
  })
})

test('a tree that lacks its checks says why: it is at work only if somebody is', () => {
  const lacks = (kind: 'subtasks' | 'fix', commit: string | null) =>
    [true, false].map((live) => lacksText({ kind, commit }, live))
  expect(lacks('subtasks', null)).toEqual([
    'Its subtasks are running.',
    'Its subtasks left nothing that could be checked.',
  ])
  expect(lacks('fix', null)).toEqual(['A session is fixing it.', 'The session meant to fix it changed nothing.'])
  expect(lacks('fix', 'c0ffee1')).toEqual(['Its checks have not finished yet.', 'Its checks did not finish.'])
})

describe('the cost of a phase', () => {
  const execution = executionOf([session(1, 10, 20), session(2, 30, null), session(3, 21, 25)])
  const sessions = [ran(1, 'subtask', '1a'), ran(3, 'check'), ran(2, 'subtask', '1a', 2)]
  const [phase] = phasesWith({ status: 'retrying', attempt: 2, startedAt: 10_000, sessions })

  test('is the time since it began, and the tokens of all its sessions', () => {
    expect(costOfPhase(phase!, execution, 40_000)).toEqual({ ms: 30_000, tokens: 300 })
  })

  test('is for a subtask the time of its newest session, and the tokens of all', () => {
    const [one, other] = phase!.subtasks
    expect(costOfSubtask(phase!, { ...one!, session: id(2) }, execution, 40_000)).toEqual({ ms: 10_000, tokens: 200 })
    expect(costOfSubtask(phase!, other!, execution, 40_000)).toEqual({ ms: null, tokens: 0 })
  })
})

describe('the mark of a step', () => {
  /** The mark of a phase's only step, after checks with these outcomes. */
  const markOf = (role: 'check' | 'review', outcome: 'success' | 'failed' | 'timeout', passed: boolean[] = []) => {
    const kind = role === 'check' ? 'verify' : 'work'
    const verifications = passed.map((one) => ({ session: id(9), passed: one }) as Verification)
    const execution = { sessions: [session(9, 10, 20, { attempt: 1, kind, outcome })], verifications }
    const review = { approved: false, text: 'No.' }
    const [phase] = phasesWith({ attempt: 1, trees: [{ ...tree(12, 3, true), review }], sessions: [ran(9, role)] })
    return stepMark(phase!, sessionsOf(phase!, execution)[0]!).word
  }

  test("is that of the result, not of the session's end", () => {
    expect(markOf('check', 'failed', [true, true])).toBe('succeeded')
    expect(markOf('check', 'failed', [true, false])).toBe('failed')
    expect(markOf('review', 'success')).toBe('Rejected')
  })

  test("is that of the session's end if there is no result", () => {
    expect(markOf('check', 'timeout', [true])).toBe('timed out')
    expect(markOf('check', 'failed')).toBe('failed')
    expect(markOf('review', 'timeout')).toBe('timed out')
  })
})
