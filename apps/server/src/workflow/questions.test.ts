import { expect, test } from 'vitest'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { heardOf } from './questions.ts'

test('the prompt of an agent that begins has what waits for it, and nothing for one that takes no messages', () => {
  const waiting = [{ id: 4, by: 'Ada', text: 'Only the parser.', when: 'step', state: 'waiting', at: 1 }]
  const id = parseExecutionId('ex-0123456789')
  const live = { id, deps: { store: { waitingMessages: () => waiting } } } as unknown as LiveExecution
  const heard = heardOf(live, undefined, true)
  expect(heard.said).toEqual(waiting)
  expect(heard.text).toContain('Message from Ada')
  expect(heardOf(live, undefined, false)).toEqual({ text: '', said: [] })
})
