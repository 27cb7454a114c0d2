import type { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { EngineError } from '../../ports/engine.ts'

/** The file at the beginning of a tar stream; null when that is a folder, a link or something else. */
export async function firstFileIn(tar: Readable, path: string, mostBytes: number): Promise<Buffer | null> {
  const entries = tar.pipe(extract())
  const failed = (error: Error) => void entries.destroy(error)
  tar.on('error', failed)
  try {
    for await (const entry of entries) {
      const { type, size = 0 } = entry.header
      if (type !== 'file') return null
      if (size > mostBytes) throw new EngineError('refused', `${path} has ${size} bytes, more than ${mostBytes}`)
      const parts: Buffer[] = []
      for await (const part of entry) parts.push(part as Buffer)
      return Buffer.concat(parts)
    }
    return null
  } finally {
    tar.destroy()
  }
}
