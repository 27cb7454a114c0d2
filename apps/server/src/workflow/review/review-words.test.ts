import { expect, test } from 'vitest'
import type { Execution } from '@beadloom/core/records/execution.ts'
import { parseBeadId } from '@beadloom/core/records/ids.ts'
import { WORK_BRANCH_BEAD } from '@beadloom/core/review/review-beads.ts'
import { blockedBy, failed } from '../../execution/ends.ts'
import { kinds } from '../kinds.ts'
import { wordedForReview } from './review-words.ts'

const of = (bead: string) => ({ kind: 'review', bead: parseBeadId(bead) }) as Execution
const crashed = failed({ kind: 'agent_crashed', exitCode: 7 }, ' And so on.')

test('the end of a review says how to ask for another one, and nothing about running its bead again', () => {
  const { detail } = wordedForReview(of('bl-1'), crashed)
  expect(detail).toMatch(/exit code 7\. .*; ask for the review again: beadloom review bl-1\. And so on\.$/)
  const blocked = wordedForReview(of(WORK_BRANCH_BEAD), blockedBy('there is no diff'))
  expect(blocked.detail).toBe('The reviewer stopped: there is no diff. Then ask for the review again: beadloom review.')
  const timeout = { state: 'TIMEOUT', reason: 'silence', detail: 'There was no output for 20 minutes.' } as const
  expect(wordedForReview(of('bl-1'), timeout).detail).toContain('"limits.inactivityTimeoutSeconds"')
})

test('even if its model answered nothing, or its session failed', () => {
  const unanswered = failed({ kind: 'model_unanswered', detail: 'the model answered 500' })
  expect(wordedForReview(of('bl-1'), unanswered).detail).toMatch(/ask for the review again: beadloom review bl-1\.$/)
  const broken = failed({ kind: 'agent_failed', detail: 'exit code 1' })
  expect(wordedForReview(of('bl-1'), broken).detail).toMatch(/ask for the review again: beadloom review bl-1\.$/)
})

test('the end of work is left as it is', () => {
  expect(kinds.work.worded(of('bl-1'), crashed)).toBe(crashed)
  expect(crashed.detail).toContain('run the bead again')
})
