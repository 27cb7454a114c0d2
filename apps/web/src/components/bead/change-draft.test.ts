import { expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { changeDraft, changeIn } from './change-draft.ts'

const HOUR = 3_600_000
const execution = { startedAt: 1_000, deadlineAt: 1_000 + 6 * HOUR } as ExecutionView

test('what is left as it was changes nothing', () => {
  expect(changeDraft(execution)).toEqual({ model: '', time: '6h' })
  expect(changeDraft({ ...execution, startedAt: 1_003 })).toEqual({ model: '', time: '6h' })
  expect(changeIn(execution, { model: ' ', time: ' 6h ' })).toBeNull()
})

test('a model and a time limit are changed each by itself', () => {
  expect(changeIn(execution, { model: ' gpt-5.2 ', time: '6h' })).toEqual({ change: { model: 'gpt-5.2' } })
  expect(changeIn(execution, { model: '', time: '90m' })).toEqual({ change: { executionTimeoutSeconds: 5_400 } })
})

test.each(['', 'soon', '0', '8d', '-1h'])('the time limit %j is refused with what it may be', (time) => {
  expect(changeIn(execution, { model: 'gpt-5.2', time })).toEqual({ problem: expect.stringContaining('8h') })
})
