import { checkOf } from './file-bytes.ts'

/** When a line was printed (milliseconds UTC), and on which stream. */
export type LineMark = { at: number; stderr: boolean }

/** A mark that applies from `line` on, until the next one. */
export type MarkRecord = LineMark & { line: number }

/*
 * A record of the marks file: u32 line, u48 time, u8 whether on standard error, u8 a sum over the rest, little endian.
 * Records have one size and ascending lines, so a line can be found by binary search.
 */
export const RECORD_BYTES = 12
const LAST_TIME = 2 ** 48 - 1

export function writeRecord(into: Buffer, at: number, { line, at: time, stderr }: MarkRecord): void {
  into.writeUInt32LE(line, at)
  into.writeUIntLE(Math.max(0, Math.min(LAST_TIME, Math.floor(time))), at + 4, 6)
  into.writeUInt8(stderr ? 1 : 0, at + 10)
  into.writeUInt8(checkOf(into, at, RECORD_BYTES - 1), at + 11)
}

/** Null: there is no record here, or it is damaged. */
export function readRecord(from: Buffer, at = 0): MarkRecord | null {
  if (at + RECORD_BYTES > from.length || from.readUInt8(at + 11) !== checkOf(from, at, RECORD_BYTES - 1)) return null
  return { line: from.readUInt32LE(at), at: from.readUIntLE(at + 4, 6), stderr: from.readUInt8(at + 10) === 1 }
}
