import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { withMessages, type AddedMessage } from './added-messages.ts'
import type { RequestApi } from './pass-request.ts'

const applied = (text: string, api: RequestApi, messages: readonly AddedMessage[]) => {
  const { edits, placed } = withMessages(api, text, messages)
  let result = text
  for (const { from, to, text: put } of edits.toReversed()) result = result.slice(0, from) + put + result.slice(to)
  return { request: JSON.parse(result) as Record<string, unknown[]>, placed }
}
const chat = (...messages: object[]) => JSON.stringify({ model: 'm', messages, stream: true })
const [task, call] = [
  { role: 'user', content: 'the task' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] },
]
const result = { role: 'tool', tool_call_id: 'c1', content: 'all of it' }
const said = (text: string) => ({ role: 'user', content: text })

test('a message comes at the end, and stays where it was when the conversation grows', () => {
  const first = applied(chat(task!, call!, result), 'chat', [{ id: 1, text: 'stop', place: null }])
  expect(first.request['messages']).toEqual([task, call, result, said('stop')])
  const [{ place } = { place: null }] = first.placed
  const more = [{ role: 'assistant', content: 'ok' }, said('go on')]
  const again = applied(chat(task!, call!, result, ...more), 'chat', [
    { id: 1, text: 'stop', place },
    { id: 2, text: 'more', place: null },
  ])
  expect(again.request['messages']).toEqual([task, call, result, said('stop'), ...more, said('more')])
  expect(again.placed.map(({ id }) => id)).toEqual([1, 2])
})

test('it is found again behind a result that the agent has shortened, and after messages that it has left out', () => {
  const { placed } = applied(chat(task!, call!, result), 'chat', [{ id: 1, text: 'stop', place: null }])
  const place = placed[0]!.place
  const short = { ...result, content: 'shortened' }
  const { request } = applied(chat(call!, short, said('x')), 'chat', [{ id: 1, text: 'stop', place }])
  expect(request['messages']).toEqual([call, short, said('stop'), said('x')])
  expect(applied(chat(said('a summary')), 'chat', [{ id: 1, text: 'stop', place }])).toEqual({
    request: { model: 'm', messages: [said('a summary')], stream: true },
    placed: [],
  })
})

test('in a conversation that is a single text, messages are added after the text', () => {
  const one = { id: 1, text: 'stop', place: { at: 3, after: 'result of c1' }, retold: 'it was told to stop' }
  const whole = [{ role: 'system', content: 'You summarize' }, said('the whole conversation')]
  expect(applied(chat(...whole), 'chat', [one])).toMatchObject({
    request: { messages: [...whole, said('it was told to stop')] },
    placed: [],
  })
  expect(applied(chat(...whole, said('more')), 'chat', [one]).request['messages']).toEqual([...whole, said('more')])
})

test('each API has its own form', () => {
  const one: AddedMessage[] = [{ id: 1, text: 'stop "now" – ü', place: null }]
  const use = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] }
  const messages = JSON.stringify({ max_tokens: 5, messages: [task, use], system: 's' })
  const { request, placed } = applied(messages, 'messages', one)
  expect(request['messages']).toEqual([task, use, { role: 'user', content: [{ type: 'text', text: one[0]!.text }] }])
  // Claude Code moves its mark for the cache from message to message.
  const marked = { ...use, content: [{ ...use.content[0], cache_control: { type: 'ephemeral' } }] }
  const place = placed[0]!.place
  expect(
    applied(JSON.stringify({ messages: [task, marked] }), 'messages', [{ ...one[0]!, place }]).placed,
  ).toHaveLength(1)
  const output = { type: 'function_call_output', call_id: 'c', output: 'x' }
  expect(applied(JSON.stringify({ input: [output] }), 'responses', one).request['input']).toEqual([
    output,
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: one[0]!.text }] },
  ])
})

test('a request without a conversation stays as it is', () => {
  const one: AddedMessage[] = [{ id: 1, text: 'x', place: null }]
  for (const text of ['{}', '{"messages":[]}', '{"messages":"x"}', '{"input":"a prompt"}'])
    expect(withMessages(text.includes('input') ? 'responses' : 'chat', text, one)).toEqual({ edits: [], placed: [] })
})

test('a long conversation is looked at only around the places, however many messages are gone', () => {
  const text = `{"messages":[${'{},'.repeat(499_999)}{}]}`
  const gone = Array.from({ length: 100 }, (_, id): AddedMessage => {
    return { id, text: 'x', place: { at: 1000 + 4000 * id, after: 'gone' } }
  })
  const parsed = vi.spyOn(JSON, 'parse')
  try {
    expect(withMessages('chat', text, gone)).toEqual({ edits: [], placed: [] })
    expect(parsed.mock.calls.length).toBeLessThanOrEqual(100 * 601)
    parsed.mockClear()
    const near = gone.map((one) => ({ ...one, place: { at: 250_000, after: 'gone' } }))
    expect(withMessages('chat', text, near)).toEqual({ edits: [], placed: [] })
    expect(parsed.mock.calls.length).toBeLessThanOrEqual(601)
  } finally {
    parsed.mockRestore()
  }
})

test('messages are found again when the beginning is gone, each as far as the one before has moved', () => {
  const turns = Array.from({ length: 2000 }, (_, at) => said(`turn ${at}`))
  const known: AddedMessage[] = []
  for (const [id, length] of [300, 700, 1900].entries()) {
    known.push({ id, text: `said ${id}`, place: null })
    const { placed } = applied(chat(...turns.slice(0, length)), 'chat', known)
    known[id] = { ...known[id]!, place: placed.at(-1)!.place }
  }
  const without = (...parts: [from: number, to: number][]) =>
    turns.filter((_, at) => !parts.some(([from, to]) => at >= from && at < to))
  const found = (conversation: object[]) => applied(chat(...conversation), 'chat', known).placed.map(({ id }) => id)
  expect(found(without([0, 250]))).toEqual([0, 1, 2])
  expect(found(without([0, 250], [800, 1050]))).toEqual([0, 1, 2])
  expect(found(without([0, 250], [800, 1150]))).toEqual([0, 1])
})

test('whatever is said, each request has every message once, in order, and the rest unchanged', () => {
  const element = fc.oneof(
    fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.string() }),
    fc.record({ role: fc.constant('tool'), tool_call_id: fc.string(), content: fc.string() }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(element, { minLength: 1 }), fc.boolean()), { maxLength: 8 }), (turns) => {
      const conversation: object[] = []
      const known: AddedMessage[] = []
      for (const [elements, says] of turns) {
        // Each element is another one, as calls and their results are.
        for (const one of elements) conversation.push({ ...one, n: conversation.length })
        if (says) known.push({ id: known.length, text: `said ${known.length}`, place: null })
        const { request, placed } = applied(chat(...conversation), 'chat', known)
        for (const { id, place } of placed) known[id] = { ...known[id]!, place }
        const isSaid = (one: unknown) => !Object.hasOwn(one as object, 'n')
        expect(request['messages']!.filter((one) => !isSaid(one))).toEqual(conversation)
        expect(request['messages']!.filter(isSaid)).toEqual(known.map(({ text }) => said(text)))
      }
    }),
  )
})
