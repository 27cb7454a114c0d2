import type { HostedTool } from '@beadloom/core/gateway/hosted-tools.ts'
import { passRequest } from '@beadloom/core/gateway/pass-request.ts'
import type { Edit, Refusal } from '@beadloom/core/gateway/walk.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { ReadCall } from '../call.ts'
import type { RequestBody } from '../request-body.ts'
import type { Dialect } from '../route.ts'

export type ShapedRequest = { body: Buffer; dropped: string[]; refused: Refusal | null }

/**
 * The request for the endpoint: the caller's bytes, except for parts that are not on its API's list, the model's name
 * (null: it stays), and the option that makes a streamed chat report its usage.
 */
export function shapedRequest(
  dialect: Dialect,
  body: RequestBody,
  { model, open }: { model: string | null; open: readonly HostedTool[] },
): ShapedRequest {
  const set: Record<string, string> = {}
  if (model !== null) {
    set['model'] = JSON.stringify(model)
    const options = streamOptions(dialect, body)
    if (options !== null) set['stream_options'] = JSON.stringify(options)
  }
  // Every byte as a character: offsets into the text are those into the bytes.
  const { edits, dropped, refused } = passRequest(dialect, body.bytes.toString('latin1'), { open, set })
  return { body: refused ? body.bytes : editedBytes(body.bytes, edits), dropped, refused }
}

/** A request that was shaped, for another model of the same API. */
export function withModel({ dialect, body, who }: Pick<ReadCall, 'dialect' | 'body' | 'who'>, model: string): Buffer {
  const passing = { open: who.hosted, set: { model: JSON.stringify(model) } }
  return editedBytes(body, passRequest(dialect, body.toString('latin1'), passing).edits)
}

function streamOptions(dialect: Dialect, body: RequestBody): object | null {
  if (dialect !== 'chat' || body.value('stream') !== true) return null
  const options = body.value('stream_options')
  const asked = isObject(options) ? options : {}
  if (asked['include_usage'] === true) return null
  const { include_obfuscation: obfuscated } = asked
  return { ...(typeof obfuscated === 'boolean' && { include_obfuscation: obfuscated }), include_usage: true }
}

/** The edits are in the order of the bytes. */
export function editedBytes(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes
  const pieces: Buffer[] = []
  let at = 0
  for (const { from, to, text } of edits) {
    pieces.push(bytes.subarray(at, from), Buffer.from(text))
    at = to
  }
  return Buffer.concat([...pieces, bytes.subarray(at)])
}
