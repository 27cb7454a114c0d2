import type { PhaseTreeView } from '@beadloom/core/api/phase-api.ts'
import { describe, expect, test } from 'vitest'
import { costOfPhase, costOfSubtask } from './plan-phases.ts'
import { proofOf } from './plan-marks.ts'
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

describe('what a phase proved', () => {
  test('is how many tests there are, how many are new, and the verdict of its review', () => {
    const review = { approved: true, text: 'Fine.' }
    expect(proof({ attempt: 1, trees: [tree(12, 0, true)], review })).toEqual(['12 tests, 3 new', 'approved'])
  })

  test('is that tests fail, where they are meant to', () => {
    expect(proof({ attempt: 1, trees: [tree(12, 3, true)] })).toEqual(['3 of 12 tests fail, as they should'])
  })

  test('is nothing of an attempt that was done again', () => {
    expect(proof({ attempt: 2, trees: [tree(12, 0, true)] })).toEqual([])
    expect(proof({ attempt: 2, trees: [tree(12, 0, true), tree(12, 2, false, 2)] })).toEqual(['test failed'])
  })
})

describe('what a phase has cost', () => {
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
