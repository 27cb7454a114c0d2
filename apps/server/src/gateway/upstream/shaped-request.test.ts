import { expect, test } from 'vitest'
import { parseBody } from '../request-body.ts'
import type { Dialect } from '../route.ts'
import { shapedRequest } from './shaped-request.ts'

function shape(dialect: Dialect, text: string, model = 'big'): string {
  const body = parseBody(Buffer.from(text))
  if ('failed' in body) throw new Error(body.failed.message)
  return shapedRequest(dialect, body, { model, open: [] }).body.toString()
}

test('only the name of the model changes; every other byte is the caller’s', () => {
  const text =
    '{ "top_p": 12345678901234567890, "model" : "wish",\n"messages":[{"content":"a \\"model\\": \\u00e9 é"}], "temperature":1.0 }'
  expect(shape('chat', text)).toBe(text.replace('"wish"', '"big"'))
  expect(shape('messages', text, 'wish')).toBe(text)
})

test('a request without a model gets one', () => {
  expect(JSON.parse(shape('messages', '{"max_tokens":5}'))).toEqual({ max_tokens: 5, model: 'big' })
  expect(JSON.parse(shape('messages', '{}'))).toEqual({ model: 'big' })
})

test('a streaming chat is asked for its usage, and its other options stay', () => {
  expect(
    JSON.parse(shape('chat', '{"model":"a","stream":true,"stream_options":{"include_obfuscation":false,"x":1}}')),
  ).toEqual({
    model: 'big',
    stream: true,
    stream_options: { include_obfuscation: false, include_usage: true },
  })
  const asked = '{"model":"big","stream":true,"stream_options":{"include_usage":true}}'
  expect(shape('chat', asked)).toBe(asked)
  expect(shape('chat', '{"model":"big","stream":false}')).toBe('{"model":"big","stream":false}')
})

test('a model that is named twice cannot be chosen by a parser that takes the other one', () => {
  expect(shape('chat', '{"model":"dear","n":1,"model":"cheap"}')).toBe('{"n":1,"model":"big"}')
})

test('a request of megabytes is shaped in the time of a few looks at it', () => {
  const text = JSON.stringify({ messages: [{ content: '\\"'.repeat(500_000) }], model: 'wish' })
  expect(shape('chat', text)).toHaveLength(text.length - 1)
})
