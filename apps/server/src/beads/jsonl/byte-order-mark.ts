/** The length in bytes of a byte order mark, which some editors put before the first line. */
export const MARK_BYTES = 3

export const isMarked = (bytes: Uint8Array): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
