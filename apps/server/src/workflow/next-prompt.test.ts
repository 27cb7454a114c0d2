import { expect, test } from 'vitest'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { nextPrompt } from './next-prompt.ts'

const message: Message = {
  id: 1,
  execution: parseExecutionId('ex-0123456789'),
  by: 'Ada',
  text: 'Only the parser.',
  when: 'step',
  state: 'waiting',
  at: 0,
}

test('an agent that continues knows why its work has failed, and reads the message behind that', () => {
  expect(nextPrompt([], 'End.', 'It failed.')).toBeNull()
  expect(nextPrompt([message, { ...message, id: 2 }], 'End.', 'It failed.')).toMatch(
    /^It failed\.\n\nMessage from Ada.*Only the parser\.[^A]*End\.$/s,
  )
})
