import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Stats } from 'node:fs'

/** Something that is where a file of ours should be. The sentence names its path and says what to do. */
export class UnusableFile extends Error {
  override name = 'UnusableFile'
}

/** `is`: as in "it is a folder". */
const notAFile = (path: string, is: string) => new UnusableFile(`${path} is ${is} and not a file: move it away`)

/** Null for a file; else what it is, as in "it is a folder". */
export function otherThanFile(found: Stats): string | null {
  if (found.isFile()) return null
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe (FIFO)'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

/**
 * The text of a file that may be anything: a pipe in its place would be waited for without an end. Throws `UnusableFile`, or
 * Node's own error.
 */
export async function readPlainFile(path: string, mostBytes: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    // What nobody can open: a socket, or a device that is not there.
    throw error.code === 'ENXIO' ? notAFile(path, 'a socket or a device') : error
  })
  try {
    const found = await file.stat()
    const other = otherThanFile(found)
    if (other !== null) throw notAFile(path, other)
    if (found.size > mostBytes)
      throw new UnusableFile(`${path} has more than ${mostBytes} bytes: it is not what it should be, move it away`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
