import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Stats } from 'node:fs'

/** What stands where a file should be: its path, and what it is. */
export class NotAFile extends Error {
  override name = 'NotAFile'
  readonly path: string
  /** As in "it is a folder". */
  readonly is: string

  constructor(path: string, is: string) {
    super(`${path} is ${is} and not a file: move it away`)
    this.path = path
    this.is = is
  }
}

/** Null for a file; else what it is, as in "it is a folder". */
export function otherThanFile(found: Stats): string | null {
  if (found.isFile()) return null
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe (FIFO)'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

/**
 * The text of a file that may be anything: a pipe in its place would be waited for without an end. Throws `NotAFile`, an
 * error that says that it is too long, or Node's own.
 */
export async function readPlainFile(path: string, mostBytes: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    // What nobody can open: a socket, or a device that is not there.
    throw error.code === 'ENXIO' ? new NotAFile(path, 'a socket or a device') : error
  })
  try {
    const found = await file.stat()
    const other = otherThanFile(found)
    if (other !== null) throw new NotAFile(path, other)
    if (found.size > mostBytes) throw new Error(`${path} has more than ${mostBytes} bytes: it is not what it should be`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
