import { crc32 } from 'node:zlib'

/** Pseudo-random numbers in [0, 1) that follow from the seed. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Short enough to be compared at once: two arrays of a megabyte take a test framework seconds. */
export const printOf = (bytes: Uint8Array): string => `${bytes.length} bytes, ${crc32(bytes)}`

/** Bytes that show their place: a lost, repeated or moved piece is noticed. */
export function bytesFrom(seed: number, length: number): Uint8Array<ArrayBuffer> {
  const chance = chanceOf(seed)
  const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => chance() * 2 ** 32)
  return new Uint8Array(words.buffer, 0, length)
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
