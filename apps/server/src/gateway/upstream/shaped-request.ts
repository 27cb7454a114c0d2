import { membersOf, setMember } from '@beadloom/core/text/json-members.ts'
import { isObject } from '../request-body.ts'
import type { Dialect } from '../route.ts'

/**
 * The request as the endpoint gets it: byte for byte what the caller sent, but for the model's name, and for the wish to
 * be told the usage of a chat's stream, which comes only where it is asked for.
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
  // A key that is there twice is read in two ways by two parsers, and one of them would get the caller's model.
  if (Object.keys(changes).some((wanted) => members.filter(({ key }) => key === wanted).length > 1))
    return JSON.stringify({ ...json, ...changes })
  let body = text
  // From the end, so that the places of what is in front of it stay true.
  for (const { key, valueStart, valueEnd } of members.toReversed()) {
    if (!Object.hasOwn(changes, key)) continue
    if (json[key] !== changes[key])
      body = body.slice(0, valueStart) + JSON.stringify(changes[key]) + body.slice(valueEnd)
    delete changes[key]
  }
  return Object.entries(changes).reduce((so, [key, value]) => setMember(so, key, JSON.stringify(value), []), body)
}
