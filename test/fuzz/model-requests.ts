import { withMessages, type AddedMessage } from '@beadloom/core/gateway/added-messages.ts'
import { parseBody, type RequestBody } from '@beadloom/server/src/gateway/request-body.ts'
import { editedBytes, shapedRequest } from '@beadloom/server/src/gateway/upstream/shaped-request.ts'

const apis = ['chat', 'responses', 'messages'] as const

/** A request of an agent as the gateway reads it; null: it is no JSON object, and nothing else looks at it. */
function bodyOf(text: string): RequestBody | null {
  const read = parseBody(Buffer.from(text))
  return 'failed' in read ? null : read
}

/** The request for the endpoint, in each API. */
export function requestPassed(text: string): unknown {
  const body = bodyOf(text)
  return body && apis.map((api) => shapedRequest(api, body, { model: 'm', open: [] }))
}

/** Messages of people: a new one, some whose places are gone, and some at places that look alike. */
const messages: AddedMessage[] = [
  { id: 0, text: 'x', place: null },
  ...[1, 500, 3000, 20_000].flatMap((at, n) => [
    { id: 2 * n + 1, text: 'x', place: { at, after: 'gone' } },
    { id: 2 * n + 2, text: 'x', place: { at, after: '2 {} {}' } },
  ]),
]

export function messagesAdded(text: string): unknown {
  const body = bodyOf(text)
  if (body === null) return null
  const read = body.bytes.toString('latin1')
  return apis.map((api) => editedBytes(body.bytes, withMessages(api, read, messages).edits))
}
