/**
 * CRC-32 as in zlib, started with `seed` (the checksum of the previous bytes, or any number). It detects bytes that a
 * carrier cut, mixed or flipped. It is no signature: anybody who can write into the carrier can make one.
 */
export type Checksum = (bytes: Uint8Array, seed: number) => number

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** For tests, and for platforms without another one. In Node `zlib.crc32` gives the same, some ten times as fast. */
export const crc32: Checksum = (bytes, seed) => {
  let rest = ~seed
  for (const byte of bytes) rest = (rest >>> 8) ^ (table[(rest ^ byte) & 0xff] ?? 0)
  return ~rest >>> 0
}
