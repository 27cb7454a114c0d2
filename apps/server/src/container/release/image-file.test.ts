import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Architecture } from '../docker-options.ts'
import { ImageBlobs } from './image-blobs.ts'
import { writeImageFile, type MadeImage } from './image-file.ts'
import { unpackSaved } from './saved-image.ts'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'bl-image-file-'))))
afterEach(() => rm(folder, { recursive: true }))

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

type Entry = { name: string; text: string | Buffer } | { name: string; linkname: string }

function tarWith(entries: Entry[]): Readable {
  const tar = pack()
  for (const entry of entries)
    if ('linkname' in entry) tar.entry({ ...entry, type: 'symlink' })
    else tar.entry({ name: entry.name }, entry.text)
  tar.finalize()
  return Readable.from(tar)
}

/** In the form of an older Docker: the same layer twice, the second time as a link. */
async function image(
  architecture: Architecture,
  name: string,
  layers: [string | Buffer, ...string[]],
): Promise<MadeImage> {
  const into = join(folder, `${name}-${architecture}`)
  await mkdir(into)
  const config = JSON.stringify({ architecture, os: 'linux', rootfs: { type: 'layers' } })
  const files = layers.map((text, at) => ({ name: `${at}/layer.tar`, text }))
  const twice = { name: 'again/layer.tar', linkname: '../0/layer.tar' }
  const Layers = [...files.map((file) => file.name), twice.name]
  const manifest = { name: 'manifest.json', text: JSON.stringify([{ Config: 'config.json', RepoTags: null, Layers }]) }
  const saved = await unpackSaved(tarWith([{ name: 'config.json', text: config }, ...files, twice, manifest]), into)
  return { architecture, tag: `beadloom/${name}:${architecture}`, saved }
}

async function written(images: MadeImage[], below: MadeImage[] = []): Promise<Map<string, Buffer>> {
  const path = join(folder, 'file.tar')
  await mkdir(join(folder, 'blobs'))
  await writeImageFile(path, { name: 'beadloom/test:1.2.3', images, below }, new ImageBlobs(join(folder, 'blobs')))
  const files = new Map<string, Buffer>()
  for await (const entry of createReadStream(path).pipe(extract())) {
    expect(files.has(entry.header.name)).toBe(false)
    files.set(entry.header.name, await buffer(entry))
  }
  return files
}

const json = (bytes: Buffer | undefined) => JSON.parse(String(bytes))

test('an image for two kinds of processors is one index, each part under its own digest and once', async () => {
  const files = await written([
    await image('amd64', 'a', ['shared', 'x64']),
    await image('arm64', 'a', ['shared', 'arm']),
  ])
  const blob = ({ digest, size }: { digest: string; size: number }): Buffer => {
    const bytes = files.get(`blobs/sha256/${digest.slice('sha256:'.length)}`)!
    expect([bytes.length, `sha256:${sha256(bytes)}`]).toEqual([size, digest])
    return bytes
  }
  const [top, ...others] = json(files.get('index.json')).manifests
  expect(others.map(({ digest }: { digest: string }) => digest)).toEqual([top.digest, top.digest])
  const index = json(blob(top))
  const shown = index.manifests.map((one: { platform: object; digest: string; size: number }) => {
    const { config, layers } = json(blob(one))
    return [
      one.platform,
      json(blob(config)).architecture,
      layers.map((layer: never) => String(gunzipSync(blob(layer)))),
    ]
  })
  expect(shown).toEqual([
    [{ architecture: 'amd64', os: 'linux' }, 'amd64', ['shared', 'x64', 'shared']],
    [{ architecture: 'arm64', os: 'linux' }, 'arm64', ['shared', 'arm', 'shared']],
  ])
  expect(json(files.get('manifest.json')).map(({ RepoTags }: { RepoTags: string[] }) => RepoTags)).toEqual([
    ['beadloom/a:amd64'],
    ['beadloom/a:arm64'],
  ])
})

test('images below are for Docker alone, and a compressed layer stays as it was', async () => {
  const layer = gzipSync('base')
  const below = await image('amd64', 'base', [layer])
  const files = await written([await image('amd64', 'top', ['top'])], [below])
  const [lower, upper] = json(files.get('manifest.json'))
  expect([lower.RepoTags, upper.RepoTags]).toEqual([['beadloom/base:amd64'], ['beadloom/top:amd64']])
  expect(files.get(lower.Layers[0])?.equals(layer)).toBe(true)
  const names = json(files.get('index.json')).manifests.map(
    (one: { annotations: Record<string, string> }) => one.annotations['io.containerd.image.name'],
  )
  expect(names).toEqual(['docker.io/beadloom/test:1.2.3', 'docker.io/beadloom/top:amd64'])
})

test('an image for the wrong processors is refused', async () => {
  const wrong = { ...(await image('amd64', 'a', ['x'])), architecture: 'arm64' as const }
  await expect(written([wrong])).rejects.toThrow('beadloom/a:amd64 is for amd64 instead of arm64')
})
