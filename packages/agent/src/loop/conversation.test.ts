import { expect, test } from 'vitest'
import { Conversation } from './conversation.ts'

const results = ({ messages }: Conversation) =>
  messages.flatMap((message) => (message.role === 'tool' ? [String(message.content).length] : []))
const answer = (talk: Conversation, ...lengths: number[]) => {
  talk.add({ role: 'assistant', content: 'I look.' })
  return lengths.map((length, at) => talk.add({ role: 'tool', tool_call_id: `${at}`, content: 'x'.repeat(length) }))
}
const STUB = expect.toSatisfy((length: number) => length < 120)

test('old results are shortened when it becomes too long, but not the latest six', () => {
  const talk = new Conversation('s', 'p', 10_000)
  for (let count = 0; count < 9; count++) answer(talk, 1500)
  expect(results(talk)).toEqual([STUB, STUB, STUB, ...Array<number>(6).fill(1500)])
})

test('the results of the latest turn are whole, however many calls it had: nobody has read them yet', () => {
  const talk = new Conversation('s', 'p', 10_000)
  answer(talk, 1500, 1500)
  answer(talk, ...Array<number>(9).fill(1500))
  expect(results(talk)).toEqual([STUB, STUB, ...Array<number>(9).fill(1500)])
})

test('a model that takes less gets shorter recent results, too, if nothing older is left', () => {
  const talk = new Conversation('s', 'p')
  answer(talk, ...Array<number>(9).fill(1500))
  expect(talk.halve()).toBe(true)
  expect(results(talk)).toEqual([STUB, STUB, STUB, ...Array<number>(6).fill(1500)])
  expect(talk.halve()).toBe(false)
})

test('a conversation is continued with a message, below the present system prompt', () => {
  const before = new Conversation('Be careful.', 'Greet.')
  before.add({ role: 'assistant', content: 'Hello.' })
  const after = new Conversation('Be quick.', 'Greet, as said before.')
  expect(after.resume(before.text(), 'Greet the moon, too.')).toBe(true)
  expect(after.messages).toEqual([
    { role: 'system', content: 'Be quick.' },
    { role: 'user', content: 'Greet.' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Greet the moon, too.' },
  ])
})

test.each(['', '{}', '[]', '[1, 2]', '[{"role": "system"}]', '[{}, {}]', 'null'])(
  'a conversation that was changed to %s is begun anew',
  (text) => {
    const talk = new Conversation('Be careful.', 'Greet.')
    expect(talk.resume(text, 'More.')).toBe(false)
    expect(talk.isFresh).toBe(true)
  },
)
