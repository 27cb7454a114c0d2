import { constants } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { OwnRecord } from '@beadloom/core/agents/preset.ts'

/** An agent may fill its home folder with anything. */
const MOST_ENTRIES = 5_000
/** The most bytes of a record that are read for one call. A call further back is shown without its text. */
const MOST_BYTES = 16 * 1024 * 1024

/** Reads what an agent wrote about its calls into a file of its own, in the order in which they were made. */
export class OwnRecords {
  #home: string | undefined
  /** By the end of a file's name: its path, and the byte up to which its lines were used. */
  #files = new Map<string, { path: string; used: number }>()

  /** `home`: the agent's home folder; undefined: it has none, so nothing is found. */
  constructor(home: string | undefined) {
    this.#home = home
  }

  /**
   * Null if the record says nothing about the call, or cannot be read. It is the agent's own file, so that is no error.
   */
  async argumentsOf({ folder, ending, argumentsIn }: OwnRecord): Promise<string | null> {
    if (this.#home === undefined) return null
    try {
      const file = this.#files.get(ending) ?? { path: await find(join(this.#home, folder), ending), used: 0 }
      this.#files.set(ending, file)
      const bytes = await readFrom(file.path, file.used)
      for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start)) {
        const line = parse(bytes.toString('utf8', start, end))
        const found = line === null ? null : argumentsIn(line)
        if (found === null) continue
        file.used += end + 1
        return found
      }
    } catch {
      // Moved, emptied or missing: the call is shown as it was printed.
    }
    return null
  }
}

async function find(folder: string, ending: string): Promise<string> {
  let seen = 0
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (entry.isFile() && entry.name.endsWith(ending)) return join(entry.parentPath, entry.name)
    if (++seen > MOST_ENTRIES) break
  }
  throw new Error(`no file in ${folder} ends with ${ending}`)
}

/** Follows no link, and never waits for the other end of a pipe. */
async function readFrom(path: string, start: number): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error(`${path} is no file`)
    const bytes = Buffer.alloc(Math.min(MOST_BYTES, Math.max(0, stat.size - start)))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function parse(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
