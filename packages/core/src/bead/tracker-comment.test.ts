import { expect, test } from 'vitest'
import type { Execution } from '../records/execution.ts'
import { followUpFacts } from '../testing/sample-follow-up.ts'
import { trackerComment } from './tracker-comment.ts'

const comment = (patch: Partial<Execution>) =>
  trackerComment({ execution: followUpFacts(patch).execution, verifications: [], link: null, hub: '/hub/demo.git' })
const question = { state: 'BLOCKED', reason: null, blockedReason: 'MIT or GPL?' } as const

test('the comment about a question has its words, and with a plan the subtask that asks', () => {
  const detail = 'Subtask 2a "Users" (2 of 4): The agent stopped: MIT or GPL?'
  expect(comment({ ...question, detail: 'The agent stopped: MIT or GPL?' })).toMatch(/^BLOCKED: execution ex-\w+\. MIT/)
  expect(comment({ ...question, detail, planVersion: 1 })).toContain(`. ${detail}\n`)
})

test('a long end keeps the names of the subtasks that were not done', () => {
  const left = ' Not done: subtask 2a "Users" (2 of 4), subtask 2b "Posts" (3 of 4).'
  expect(comment({ reason: 'subtask_failed', detail: `${'x'.repeat(2_000)}${left}` })).toContain(`…${left}\n`)
})
