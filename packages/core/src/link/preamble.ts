import type { Checksum } from './checksum.ts'
import { TAG_BYTES } from './frame.ts'
import { get32, put32 } from './wire-numbers.ts'

/*
 * A preamble: magic 16, kind 4, nonce 16, other 16, checksum 4. Both ends know the magic of their container, so it is
 * found in any bytes of a carrier.
 *
 * SYN1 server → container: "I take the link as `nonce`. Before, it was mine as `other`" (zeros: I take it from
 * anybody). ACK1 container → server: "the link belongs to `nonce`. I say this because of the SYN of `other`."
 */
export const MAGIC_BYTES = 16
export const NONCE_BYTES = 16
export const PREAMBLE_BYTES = MAGIC_BYTES + 4 + NONCE_BYTES + NONCE_BYTES + 4
/** In place of a nonce: nobody. */
export const NOBODY = new Uint8Array(NONCE_BYTES)

const kinds = { syn: 0x53_59_4e_31, ack: 0x41_43_4b_31 } as const
export type PreambleKind = keyof typeof kinds
export type Preamble = { kind: PreambleKind; nonce: Uint8Array; other: Uint8Array }

const KIND_AT = MAGIC_BYTES
const NONCE_AT = KIND_AT + 4
const OTHER_AT = NONCE_AT + NONCE_BYTES
const CHECKSUM_AT = OTHER_AT + NONCE_BYTES

/** Returns its end in `into`. */
export function putPreamble(
  into: Uint8Array,
  at: number,
  magic: Uint8Array,
  preamble: Preamble,
  sum: Checksum,
): number {
  into.set(magic, at)
  put32(into, at + KIND_AT, kinds[preamble.kind])
  into.set(preamble.nonce, at + NONCE_AT)
  into.set(preamble.other, at + OTHER_AT)
  put32(into, at + CHECKSUM_AT, sum(into.subarray(at, at + CHECKSUM_AT), 0))
  return at + PREAMBLE_BYTES
}

/** `bytes`: a whole preamble. Null: they only begin like one. */
export function readPreamble(bytes: Uint8Array, sum: Checksum): Preamble | null {
  if (get32(bytes, CHECKSUM_AT) !== sum(bytes.subarray(0, CHECKSUM_AT), 0)) return null
  const number = get32(bytes, KIND_AT)
  const kind = number === kinds.syn ? 'syn' : number === kinds.ack ? 'ack' : null
  if (kind === null) return null
  return { kind, nonce: bytes.slice(NONCE_AT, OTHER_AT), other: bytes.slice(OTHER_AT, CHECKSUM_AT) }
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The tag of the frames that belong to a nonce. */
export const tagOf = (nonce: Uint8Array): Uint8Array => nonce.slice(0, TAG_BYTES)
