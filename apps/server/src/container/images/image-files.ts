import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EngineError } from '../../ports/engine.ts'
import { pack, type Pack } from 'tar-stream'

/** A file of a build context. */
export type ImageFile = { name: string; mode: number } & ({ path: string } | { text: string })

/** The files as a tar stream, owned by root. A file that cannot be read destroys the stream with its error. */
export function tarOf(files: ImageFile[]): Readable {
  const tar = pack()
  void fill(tar, files).catch((error: Error) => tar.destroy(error))
  // tar-stream's stream type is not Node's.
  return Readable.from(tar)
}

async function fill(tar: Pack, files: ImageFile[]): Promise<void> {
  for (const file of files) {
    // With a fixed time, Docker's build cache recognises unchanged files.
    const header = { name: file.name, mode: file.mode, uid: 0, gid: 0, mtime: new Date(0) }
    if ('text' in file) {
      tar.entry(header, file.text)
      continue
    }
    const { size } = await stat(file.path)
    await pipeline(createReadStream(file.path), tar.entry({ ...header, size }))
  }
  tar.finalize()
}

/** Content hashes of files. A file with unchanged size and time is not read again (a Node binary has 120 MB). */
export class FileHashes {
  #known = new Map<string, { stamp: string; hash: Promise<string> }>()

  async of(path: string): Promise<string> {
    const { size, mtimeMs, ino } = await stat(path)
    const stamp = `${size} ${mtimeMs} ${ino}`
    const known = this.#known.get(path)
    if (known?.stamp === stamp) return known.hash
    const hash = hashOf(path)
    this.#known.set(path, { stamp, hash })
    hash.catch(() => this.#known.delete(path))
    return hash
  }

  /** A short hash over several files and texts, in this order. Throws `EngineError('image-build-failed')`. */
  async key(files: ImageFile[], ...more: string[]): Promise<string> {
    const parts = await Promise.all(
      files.map(async (file) => [file.name, 'text' in file ? file.text : await this.of(file.path)]),
    ).catch((error: Error) => {
      const text = `a file that images are built from cannot be read: ${error.message}`
      throw new EngineError('image-build-failed', text, { cause: error })
    })
    return createHash('sha256')
      .update(JSON.stringify([parts, more]))
      .digest('hex')
      .slice(0, 16)
  }
}

const PIECE_BYTES = 1024 * 1024

/** Uses one buffer: a stream takes a new one for each piece, after which the server stays 40 MB larger for 120 MB. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
  const file = await open(path)
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
