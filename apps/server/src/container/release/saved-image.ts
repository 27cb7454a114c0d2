import { createWriteStream } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { z } from 'zod/mini'

const Manifest = z.array(z.object({ Config: z.string(), Layers: z.array(z.string()) }))

/** Files of a folder: the image's configuration, and its layers from the lowest on. */
export type SavedImage = { config: string; layers: string[] }

/** Unpacks the output of `docker save` for one image. */
export async function unpackSaved(saved: Readable, folder: string): Promise<SavedImage> {
  const links = await unpack(saved, folder)
  const manifest = Manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  const [image] = manifest
  if (image === undefined || manifest.length > 1) throw new Error(`${manifest.length} images were saved instead of one`)
  return {
    config: join(folder, image.Config),
    layers: image.Layers.map((name) => join(folder, links.get(name) ?? name)),
  }
}

/** Resolves with its links: if an image has a layer twice, an older Docker writes the second as a link to the first. */
async function unpack(saved: Readable, folder: string): Promise<Map<string, string>> {
  const links = new Map<string, string>()
  const entries = extract()
  saved.once('error', (error) => entries.destroy(error))
  saved.pipe(entries)
  for await (const entry of entries) {
    const { type, linkname } = entry.header
    const name = normalize(entry.header.name)
    if (type === 'symlink' && linkname) links.set(name, normalize(join(dirname(name), linkname)))
    if (type !== 'file') {
      entry.resume()
      continue
    }
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await pipeline(entry, createWriteStream(path))
  }
  return links
}
