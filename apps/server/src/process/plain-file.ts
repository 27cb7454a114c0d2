import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Stats } from 'node:fs'

/** Something else is in place of a file of ours. The sentence names its path and says what to do. */
export class UnusableFile extends Error {
  override name = 'UnusableFile'
}

/** `is`: as in "it is a folder". */
const notAFile = (path: string, is: string) => new UnusableFile(`${path} is ${is} and not a file: move it away`)

/** Null for a file; otherwise its kind, as in "it is a folder". */
export function otherThanFile(found: Stats): string | null {
  if (found.isFile()) return null
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a pipe (FIFO)'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

/**
 * Reads a file that may be something else: a pipe in its place would block for ever. Throws `UnusableFile`, or Node's
 * own error.
 *
 * @param how `no links`: a link in its place is an error, ELOOP
 */
export async function readPlainFile(
  path: string,
  mostBytes: number,
  how: 'links' | 'no links' = 'links',
): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (how === 'links' ? 0 : constants.O_NOFOLLOW)
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    // Something that cannot be opened: a socket, or a missing device.
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
