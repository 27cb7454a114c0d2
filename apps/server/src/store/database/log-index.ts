import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { endianness } from 'node:os'

/* Offsets in the index of SQLite's write-ahead log, and sizes in the log: https://sqlite.org/walformat.html */
const INDEX_BYTES = 132
const PAGE_SIZE_AT = 14
const FRAMES_AT = 16
const SALTS_AT = 32
const FOLDED_AT = 96
const FOLDING_AT = 128
const LOG_HEADER_BYTES = 32
const LOG_SALTS_AT = 16
const SALTS_BYTES = 8
const FRAME_HEADER_BYTES = 24

/** The head of `beadloom.db-shm`, which every connection shares. */
export type LogIndex = {
  /** The number of valid frames in the log. */
  frames: number
  /** The same as in the log's own header. */
  salts: string
  /**
   * The number of frames folded into the database, and whether a fold of more is under way, or was when its program
   * died.
   */
  folded: number
  isFolding: boolean
}

// SQLite writes numbers in the processor's byte order.
const isLittle = endianness() === 'LE'
const u32 = (head: Buffer, at: number): number => (isLittle ? head.readUInt32LE(at) : head.readUInt32BE(at))
const u16 = (head: Buffer, at: number): number => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at))

/** Null: it does not look like SQLite's. */
export function readIndex(descriptor: number): LogIndex | null {
  const head = Buffer.alloc(INDEX_BYTES)
  if (readSync(descriptor, head, 0, INDEX_BYTES, 0) < INDEX_BYTES) return null
  return {
    frames: u32(head, FRAMES_AT),
    salts: head.toString('hex', SALTS_AT, SALTS_AT + SALTS_BYTES),
    folded: u32(head, FOLDED_AT),
    isFolding: u32(head, FOLDING_AT) > u32(head, FOLDED_AT),
  }
}

function bytesIn(head: Buffer): number {
  const frames = u32(head, FRAMES_AT)
  const pageSize = u16(head, PAGE_SIZE_AT) === 1 ? 65_536 : u16(head, PAGE_SIZE_AT)
  return frames === 0 ? 0 : LOG_HEADER_BYTES + frames * (FRAME_HEADER_BYTES + pageSize)
}

const beginning = Buffer.alloc(SALTS_AT)

/** Whether the log has less than its index counts. Asked before each write, so it reads no more than it needs. */
export function isShort(log: string, descriptor: number): boolean {
  if (readSync(descriptor, beginning, 0, SALTS_AT, 0) < SALTS_AT) return false
  const bytes = bytesIn(beginning)
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) >= bytes) return false
  // A program that empties it in order says so in the index first.
  readSync(descriptor, beginning, 0, SALTS_AT, 0)
  return bytesIn(beginning) === bytes
}

/** Whether the log begins as the index says: a log that was emptied and then written on begins with zeros. */
export function isLogOf({ frames, salts }: LogIndex, log: string): boolean {
  if (frames === 0) return true
  const head = Buffer.alloc(LOG_HEADER_BYTES)
  const descriptor = openSync(log, 'r')
  try {
    readSync(descriptor, head, 0, LOG_HEADER_BYTES, 0)
  } finally {
    closeSync(descriptor)
  }
  return head.toString('hex', LOG_SALTS_AT, LOG_SALTS_AT + SALTS_BYTES) === salts
}

/**
 * Whether the log of a database lacks frames that its index counts. Only for a database that this process has not open:
 * closing the index drops this process's locks on it.
 */
export function lacksFrames(file: string): boolean {
  const descriptor = openSync(`${file}-shm`, 'r')
  try {
    return isShort(`${file}-wal`, descriptor)
  } finally {
    closeSync(descriptor)
  }
}
