import { membersOf, setMember } from '@beadloom/core/text/json-members.ts'
import { isObject } from '../request-body.ts'
import type { Dialect } from '../route.ts'

/**
 * The request as the endpoint gets it: byte for byte what the caller sent, except for the model's name, and for the
 * option that makes a streamed chat report its usage.
 */
export function shapedRequest(
  dialect: Dialect,
  { json, text }: { json: Record<string, unknown>; text: string },
  model: string,
): string {
  const changes: Record<string, unknown> = { model }
  if (dialect === 'chat' && json['stream'] === true) {
    const asked = isObject(json['stream_options']) ? json['stream_options'] : {}
    if (asked['include_usage'] !== true) changes['stream_options'] = { ...asked, include_usage: true }
  }
  const members = membersOf(text)
  // Parsers disagree about duplicate keys, so with one of them the caller's model could get through.
  if (Object.keys(changes).some((wanted) => members.filter(({ key }) => key === wanted).length > 1))
    return JSON.stringify({ ...json, ...changes })
  let body = text
  // From the end, so that earlier positions stay valid.
  for (const { key, valueStart, valueEnd } of members.toReversed()) {
    if (!Object.hasOwn(changes, key)) continue
    if (json[key] !== changes[key])
      body = body.slice(0, valueStart) + JSON.stringify(changes[key]) + body.slice(valueEnd)
    delete changes[key]
  }
  return Object.entries(changes).reduce((so, [key, value]) => setMember(so, key, JSON.stringify(value), []), body)
}
