import { expect, test } from 'vitest'
import { parseExecutionId } from '../records/ids.ts'
import type { Message } from '../records/message.ts'
import { saidText } from './said-text.ts'

const message = (text: string, by = ''): Message => ({
  id: 1,
  execution: parseExecutionId('ex-0123456789'),
  by,
  text,
  when: 'step',
  state: 'refused',
  at: 0,
})

test('later agents are told what people said, by whom, oldest first, within a bound', () => {
  expect(saidText([])).toBe('')
  const text = saidText([message('use the parser', 'Ada'), message('and test it')])
  expect(text).toMatch(/Message from Ada, .*\n\nuse the parser\n\nMessage from a person, .*\n\nand test it/s)
  expect(saidText([message('x'.repeat(200_000))]).length).toBeLessThan(41_000)
})
