import { membersOf, setMember } from '@beadloom/core/json-members.ts'
import { isObject } from './request-body.ts'
import type { Dialect } from './route.ts'

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
  // A key that is there twice is read in two ways by two parsers, and one of them would get the caller's model.
  if (hasTwice(text, Object.keys(changes))) return JSON.stringify({ ...json, ...changes })
  return Object.entries(changes).reduce(
    (body, [key, value]) => (json[key] === value ? body : setMember(body, key, JSON.stringify(value), [])),
    text,
  )
}

function hasTwice(text: string, keys: readonly string[]): boolean {
  const found = membersOf(text).map(({ key }) => key)
  return keys.some((key) => found.indexOf(key) !== found.lastIndexOf(key))
}
