/* Unsigned numbers in frames, the most significant byte first. */

export function put32(into: Uint8Array, at: number, value: number): void {
  into[at] = value >>> 24
  into[at + 1] = value >>> 16
  into[at + 2] = value >>> 8
  into[at + 3] = value
}

export function get32(bytes: Uint8Array, at: number): number {
  return get16(bytes, at) * 0x10000 + get16(bytes, at + 2)
}

/** Offsets have 48 bits: 256 TiB of output. */
export function put48(into: Uint8Array, at: number, value: number): void {
  const high = Math.floor(value / 0x1_0000_0000)
  into[at] = high >>> 8
  into[at + 1] = high
  put32(into, at + 2, value % 0x1_0000_0000)
}

export function get48(bytes: Uint8Array, at: number): number {
  return get16(bytes, at) * 0x1_0000_0000 + get32(bytes, at + 2)
}

function get16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 0x100 + (bytes[at + 1] ?? 0)
}
