import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** From the OCI's image specification: https://github.com/opencontainers/image-spec/blob/main/descriptor.md */
export type Descriptor = { mediaType: string; digest: string; size: number }

/** The first bytes of a compressed layer. */
const GZIP = Buffer.from([0x1f, 0x8b])

/** Parts of images in a folder, each once and with its SHA-256 as its name. */
export class ImageBlobs {
  readonly #folder: string
  /** By the hash of the saved layer: images share their lowest ones, and compressing one takes seconds. */
  readonly #layers = new Map<string, Promise<Descriptor>>()

  /** @param folder an empty one */
  constructor(folder: string) {
    this.#folder = folder
  }

  pathOf({ digest }: Pick<Descriptor, 'digest'>): string {
    return join(this.#folder, nameOf(digest))
  }

  async json(mediaType: string, value: unknown): Promise<Descriptor> {
    return this.#bytes(mediaType, Buffer.from(JSON.stringify(value)))
  }

  async file(mediaType: string, path: string): Promise<Descriptor> {
    return this.#bytes(mediaType, await readFile(path))
  }

  /** Adds a layer, compressed. */
  async layer(mediaType: string, path: string): Promise<Descriptor> {
    const key = await hashOf(path)
    const known = this.#layers.get(key) ?? this.#compressed(mediaType, path)
    this.#layers.set(key, known)
    return known
  }

  async #compressed(mediaType: string, path: string): Promise<Descriptor> {
    const folder = await mkdtemp(join(this.#folder, 'new-'))
    const made = join(folder, 'layer')
    const stages = (await isCompressed(path)) ? [] : [createGzip()]
    await pipeline([createReadStream(path), ...stages, createWriteStream(made)])
    const digest = `sha256:${await hashOf(made)}`
    const { size } = await stat(made)
    await rename(made, this.pathOf({ digest }))
    return { mediaType, digest, size }
  }

  async #bytes(mediaType: string, bytes: Buffer): Promise<Descriptor> {
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    await writeFile(this.pathOf({ digest }), bytes)
    return { mediaType, digest, size: bytes.length }
  }
}

export const nameOf = (digest: string): string => digest.replace(/^sha256:/, '')

async function isCompressed(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length)
    return buffer.equals(GZIP)
  } finally {
    await file.close()
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
