import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DockerClient } from '../docker-client.ts'
import type { ImageId } from '../containers.ts'
import type { Architecture, DockerEngineOptions } from '../docker-options.ts'
import { BaseImages } from '../images/base-image.ts'
import { FileHashes } from '../images/image-files.ts'
import { ImageStore } from '../images/image-store.ts'
import { NamedImages } from '../images/named-images.ts'
import { RuntimeImages } from '../images/runtime-image.ts'
import { ImageBlobs } from './image-blobs.ts'
import { writeImageFile, type MadeImage } from './image-file.ts'
import { unpackSaved } from './saved-image.ts'

export type ReleaseOptions = Omit<DockerEngineOptions, 'architecture' | 'nodeBinary' | 'caBundle'> & {
  /** Node for each kind of processors that gets images. */
  nodes: Record<Architecture, string>
  version: string
  /** An existing folder. */
  into: string
  say: (line: string) => void
  signal: AbortSignal
}

type Made = { base: MadeImage; runtime: MadeImage }

/**
 * Makes the base and the runtime image for each kind of processors, without certificates and settings of this machine,
 * and a file of each with all of them.
 *
 * @returns the files. Throws `EngineError`.
 */
export async function makeReleaseImages(options: ReleaseOptions): Promise<string[]> {
  const { version, into, say, nodes } = options
  const folder = await mkdtemp(join(tmpdir(), 'beadloom-images-'))
  try {
    const made: Made[] = []
    for (const architecture of ['amd64', 'arm64'] as const)
      made.push(await makeFor({ ...options, caBundle: null, architecture, nodeBinary: nodes[architecture] }, folder))
    await mkdir(join(folder, 'blobs'))
    const blobs = new ImageBlobs(join(folder, 'blobs'))
    const files: string[] = []
    const write = async (what: keyof Made, below: MadeImage[]): Promise<void> => {
      const path = join(into, `beadloom-${what}-${version}.tar`)
      say(`writing ${path}`)
      const images = made.map((one) => one[what])
      await writeImageFile(path, { name: `beadloom/${what}:${version}`, images, below }, blobs)
      files.push(path)
    }
    await write('base', [])
    await write(
      'runtime',
      made.map(({ base }) => base),
    )
    return files
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Making = DockerEngineOptions & Pick<ReleaseOptions, 'say' | 'signal'> & { architecture: Architecture }

async function makeFor(options: Making, folder: string): Promise<Made> {
  const { architecture, say, signal } = options
  const tell = (line: string): void => say(`${architecture}: ${line}`)
  const images = new ImageStore(new DockerClient(options))
  const hashes = new FileHashes()
  const bases = new BaseImages(images, options, hashes)
  const base = await bases.ensure(tell, signal)
  const runtime = await new RuntimeImages(images, bases, new NamedImages(images, []), options, hashes).ensure(
    { from: 'default' },
    null,
    tell,
    signal,
  )
  const saved = async (image: ImageId, name: string): Promise<MadeImage> => {
    tell(`saving ${name}`)
    const of = join(folder, `${name}-${architecture}`)
    await mkdir(of)
    const path = `/images/${image}/get`
    const stream = await images.client.stream({ method: 'GET', path, signal })
    return { architecture, tag: await images.tagOf(image, `beadloom/${name}`), saved: await unpackSaved(stream, of) }
  }
  return { base: await saved(base, 'base'), runtime: await saved(runtime, 'runtime') }
}
