import type { Header, StreamKind } from './incoming-stream.ts'
import { isObject } from '../text/json-object.ts'
import { MAX_HEADER_BYTES } from './link-bounds.ts'

const KIND = /^[a-z][a-z0-9-]{0,31}$/

export type Opening = { kind: StreamKind; header: Header }

/**
 * The payload of a frame that opens a stream: JSON in ASCII. Throws if the kind is invalid or it is too large: a bug of
 * ours.
 */
export function encodeOpening({ kind, header }: Opening): Uint8Array {
  if (!KIND.test(kind)) throw new Error(`not a kind of stream: ${JSON.stringify(kind)}`)
  const text = JSON.stringify([kind, header]).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (text.length > MAX_HEADER_BYTES)
    throw new Error(`the header of a stream has ${text.length} bytes: put it into the stream`)
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** Null: not a valid opening. */
export function decodeOpening(payload: Uint8Array): Opening | null {
  if (payload.length > MAX_HEADER_BYTES || payload.some((byte) => byte > 0x7e)) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(String.fromCharCode(...payload))
  } catch {
    return null
  }
  if (!Array.isArray(parsed) || parsed.length !== 2) return null
  const [kind, header] = parsed as [unknown, unknown]
  if (typeof kind !== 'string' || !KIND.test(kind)) return null
  if (!isObject(header)) return null
  return { kind, header: header as Header }
}
