import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { isDiskFull } from '../../process/disk-full.ts'

/** Opens for reading and writing; created if necessary, never emptied. */
export const openToWrite = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDWR | constants.O_CREAT, 0o600)

/** Writes all bytes: a single write may be short (a full disk, a signal). */
export async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/**
 * The same, but waits while the disk is full: `whenFull` is called with each such error, and after it the bytes are
 * written again from the first one.
 */
export async function writePatiently(
  handle: FileHandle,
  bytes: Buffer,
  position: number,
  whenFull: (error: unknown) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await writeAll(handle, bytes, position)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      await whenFull(error)
    }
  }
}

/** Reads `length` bytes, or fewer at the end of the file. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(buffer, done, length - done, position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return buffer.subarray(0, done)
}

export async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r')
  try {
    return await use(handle)
  } finally {
    await handle.close()
  }
}

const NEWLINE = 10

/** Reads as many whole lines before `end` as fit into `maxBytes`, at least one. */
export async function wholeLines(handle: FileHandle, from: number, maxBytes: number, end: number): Promise<Buffer> {
  let length = Math.min(Math.max(maxBytes, 1), end - from)
  for (;;) {
    const bytes = await readAt(handle, from, length)
    const last = bytes.lastIndexOf(NEWLINE)
    if (last !== -1) return bytes.subarray(0, last + 1)
    if (bytes.length < length || from + length >= end) return bytes
    length = Math.min(length * 2, end - from)
  }
}

/** A check byte that exposes damaged records, and the zeros that a power cut may leave. */
export function checkOf(bytes: Buffer, at: number, length: number): number {
  let sum = 0xa5
  for (let index = at; index < at + length; index += 1) sum = (sum * 31 + (bytes[index] ?? 0)) & 255
  return sum
}
