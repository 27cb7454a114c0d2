import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Architecture } from '../docker-options.ts'
import { tarOf, type ImageFile } from '../images/image-files.ts'
import { nameOf, type Descriptor, type ImageBlobs } from './image-blobs.ts'
import type { SavedImage } from './saved-image.ts'

const type = (name: string): string => `application/vnd.oci.image.${name}`
const INDEX = type('index.v1+json')
const MANIFEST = type('manifest.v1+json')
const CONFIG = type('config.v1+json')
const LAYER = type('layer.v1.tar+gzip')

/** An image for one kind of processors. `tag`: the one that a server there looks for. */
export type MadeImage = { architecture: Architecture; tag: string; saved: SavedImage }

type Manifest = { config: Descriptor; layers: Descriptor[] }
type Part = { image: MadeImage; manifest: Manifest; descriptor: Descriptor }

/**
 * Writes an OCI image layout as a tar file: one index, with a manifest for each kind of processors. It also has the
 * list of images that `docker load` reads if Docker keeps no layouts, with the tags that servers look for.
 *
 * @param name of the image, with a tag
 * @param below images that this one was made from, which such a Docker gets, too
 */
export async function writeImageFile(
  path: string,
  { name, images, below = [] }: { name: string; images: MadeImage[]; below?: MadeImage[] },
  blobs: ImageBlobs,
): Promise<void> {
  const parts = await Promise.all(images.map((image) => partOf(image, blobs)))
  const lower = await Promise.all(below.map((image) => partOf(image, blobs)))
  const manifests = parts.map(({ image, descriptor }) => ({
    ...descriptor,
    platform: { architecture: image.architecture, os: 'linux' },
  }))
  const index = await blobs.json(INDEX, { schemaVersion: 2, mediaType: INDEX, manifests })
  const names = [name, ...images.map(({ tag }) => tag)]
  const needed = [
    index,
    ...parts.flatMap(({ descriptor }) => [descriptor]),
    ...[...parts, ...lower].flatMap(({ manifest }) => [manifest.config, ...manifest.layers]),
  ]
  const text = (file: string, value: unknown): ImageFile => ({ name: file, mode: 0o644, text: JSON.stringify(value) })
  await pipeline(
    tarOf([
      text('oci-layout', { imageLayoutVersion: '1.0.0' }),
      text('index.json', { schemaVersion: 2, mediaType: INDEX, manifests: names.map((one) => named(index, one)) }),
      text('manifest.json', [...lower, ...parts].map(ofDocker)),
      ...[...new Set(needed.map(({ digest }) => digest))].map((digest): ImageFile => ({
        name: pathIn(digest),
        mode: 0o644,
        path: blobs.pathOf({ digest }),
      })),
    ]),
    createWriteStream(path),
  )
}

async function partOf(image: MadeImage, blobs: ImageBlobs): Promise<Part> {
  const { architecture, tag, saved } = image
  const found = (JSON.parse(await readFile(saved.config, 'utf8')) as { architecture?: unknown }).architecture
  if (found !== architecture) throw new Error(`${tag} is for ${String(found)} instead of ${architecture}`)
  // Unchanged: its hash is the engine's name for the image.
  const config = await blobs.file(CONFIG, saved.config)
  const layers: Descriptor[] = []
  for (const layer of saved.layers) layers.push(await blobs.layer(LAYER, layer))
  const manifest = { config, layers }
  const descriptor = await blobs.json(MANIFEST, { schemaVersion: 2, mediaType: MANIFEST, ...manifest })
  return { image, manifest, descriptor }
}

const pathIn = (digest: string): string => `blobs/sha256/${nameOf(digest)}`

const named = (index: Descriptor, name: string): Descriptor & { annotations: Record<string, string> } => ({
  ...index,
  annotations: {
    'io.containerd.image.name': `docker.io/${name}`,
    'org.opencontainers.image.ref.name': name.slice(name.indexOf(':') + 1),
  },
})

const ofDocker = ({ image, manifest }: Part): { Config: string; RepoTags: string[]; Layers: string[] } => ({
  Config: pathIn(manifest.config.digest),
  RepoTags: [image.tag],
  Layers: manifest.layers.map(({ digest }) => pathIn(digest)),
})
