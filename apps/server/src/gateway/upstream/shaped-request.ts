import type { RequestBody } from '../request-body.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { Dialect } from '../route.ts'

/**
 * The request as the endpoint gets it: byte for byte what the caller sent, except for the model's name, and for the
 * option that makes a streamed chat report its usage.
 */
export function shapedRequest(dialect: Dialect, body: RequestBody, model: string): Buffer {
  const changes: Record<string, unknown> = { model }
  if (dialect === 'chat' && body.value('stream') === true) {
    const options = body.value('stream_options')
    const asked = isObject(options) ? options : {}
    if (asked['include_usage'] !== true) changes['stream_options'] = { ...asked, include_usage: true }
  }
  const { bytes, members } = body
  // Parsers disagree about duplicate keys, so with one of them the caller's model could get through.
  if (Object.keys(changes).some((wanted) => members.filter(({ key }) => key === wanted).length > 1))
    return Buffer.from(JSON.stringify({ ...body.whole(), ...changes }))
  const pieces: Buffer[] = []
  let at = 0
  const put = (upTo: number, text: string, goOnAt: number): void => {
    pieces.push(bytes.subarray(at, upTo), Buffer.from(text))
    at = goOnAt
  }
  for (const { key, valueStart, valueEnd } of members) {
    if (!Object.hasOwn(changes, key)) continue
    if (body.value(key) !== changes[key]) put(valueStart, JSON.stringify(changes[key]), valueEnd)
    delete changes[key]
  }
  const end = members.at(-1)?.valueEnd ?? bytes.indexOf('{') + 1
  const added = Object.entries(changes).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
  if (added.length > 0) put(end, (members.length > 0 ? ',' : '') + added.join(','), end)
  return pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(at)])
}
