import { createHash } from 'node:crypto'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { imageFolders } from '@beadloom/server/src/container/docker-options.ts'
import { DockerWorld } from '@beadloom/server/src/container/testing/docker-world.ts'
import { openDocker } from '../contract/docker-under-test.ts'
import { toTheEnd } from '../contract/engine-under-test.ts'
import { PrivateDocker } from '../crash/private-docker.ts'

/*
 * The images of `npm run images`: read as any program would, and started by an engine without other images.
 * RELEASE_IMAGES names a folder with images that are already made: making them takes most of the time.
 */

const root = join(import.meta.dirname, '..', '..')
/** Half of the work runs in emulation. */
const MAKING_MS = 3 * 3_600_000
const { agentFolder, supervisorFolder } = imageFolders(root)

type Descriptor = { mediaType: string; digest: string; size: number; platform?: { architecture: string; os: string } }
type Manifest = { config: Descriptor; layers: Descriptor[]; manifests: Descriptor[] }
type Config = {
  architecture: string
  os: string
  config: { Env?: string[]; User?: string; Entrypoint?: string[] }
  rootfs: { diff_ids: string[] }
}

let folder: string
let files: string[]
let engine: PrivateDocker

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bl-images-'))
  const made = process.env.RELEASE_IMAGES ?? folder
  if (made === folder)
    await promisify(execFile)(process.execPath, ['scripts/images.mjs', made], { cwd: root, maxBuffer: 64 * 1024 ** 2 })
  files = readdirSync(made)
    .filter((name) => name.endsWith('.tar'))
    .map((name) => join(made, name))
  engine = await PrivateDocker.start({ liveRestore: false, images: false })
  for (const file of files) execFileSync('docker', ['-H', engine.host, 'load', '--quiet', '--input', file])
}, MAKING_MS)
afterAll(async () => {
  await engine?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Unpacks a file; `blob` compares a part with its size and digest. */
function unpacked(file: string): { at: (name: string) => Buffer; blob: (descriptor: Descriptor) => Buffer } {
  const into = join(folder, `${basename(file)}.unpacked`)
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xf', file, '-C', into])
  const at = (name: string): Buffer => readFileSync(join(into, name))
  const blob = ({ digest, size }: Descriptor): Buffer => {
    const bytes = at(join('blobs', ...digest.split(':')))
    expect([bytes.length, sha256(bytes)]).toEqual([size, digest])
    return bytes
  }
  return { at, blob }
}

const json = <T>(bytes: Buffer): T => JSON.parse(bytes.toString()) as T

describe.each(['base', 'runtime'])('the file of the %s image', (what) => {
  const file = (): string => files.find((path) => path.includes(`beadloom-${what}-`)) ?? ''

  test('is an OCI layout with one index, under the name of the release and the names that servers look for', () => {
    const { at } = unpacked(file())
    expect(json(at('oci-layout'))).toEqual({ imageLayoutVersion: '1.0.0' })
    const { manifests } = json<{ manifests: (Descriptor & { annotations: Record<string, string> })[] }>(
      at('index.json'),
    )
    expect(new Set(manifests.map(({ digest }) => digest)).size).toBe(1)
    const names = manifests.map(({ annotations }) => annotations['io.containerd.image.name'])
    expect(names).toEqual([
      expect.stringMatching(new RegExp(`^docker.io/beadloom/${what}:\\d+\\.\\d+\\.\\d+$`)),
      expect.stringMatching(new RegExp(`^docker.io/beadloom/${what}:[0-9a-f]{16}$`)),
      expect.stringMatching(new RegExp(`^docker.io/beadloom/${what}:[0-9a-f]{16}$`)),
    ])
  })

  test('has the image for both kinds of processors, every part matches its digest, and nothing is of this machine', () => {
    const { at, blob } = unpacked(file())
    const [top] = json<Manifest>(at('index.json')).manifests
    const index = json<Manifest>(blob(top!))
    expect(index.manifests.map(({ platform }) => platform)).toEqual([
      { architecture: 'amd64', os: 'linux' },
      { architecture: 'arm64', os: 'linux' },
    ])
    for (const descriptor of index.manifests) {
      const manifest = json<Manifest>(blob(descriptor))
      const config = json<Config>(blob(manifest.config))
      expect(config).toMatchObject(descriptor.platform!)
      expect(manifest.layers.map((layer) => sha256(gunzipSync(blob(layer))))).toEqual(config.rootfs.diff_ids)
      expect((config.config.Env ?? []).filter((line) => /proxy|ca-certificates/i.test(line))).toEqual([])
      if (what === 'runtime') expect(config.config.User).toBe('1000:1000')
    }
  })
})

describe.each([
  ['amd64', 'x64'],
  ['arm64', 'arm64'],
] as const)('an engine that has loaded them, for %s', (architecture, arch) => {
  let node: string
  beforeAll(() => {
    const [image = ''] = docker('images', '--format', '{{.Repository}}:{{.Tag}}', 'beadloom/base')
      .split('\n')
      .filter((name) => name !== '' && docker('inspect', '--format', '{{.Architecture}}', name) === architecture)
    const container = docker('create', '--network', 'none', image, 'true')
    node = join(folder, `node-${architecture}`)
    docker('cp', `${container}:/usr/local/bin/node`, node)
    docker('rm', container)
  })
  const docker = (...args: string[]): string =>
    execFileSync('docker', ['-H', engine.host, ...args], { encoding: 'utf8' }).trim()
  const options = () => ({ architecture, nodeBinary: node, caBundle: null, supervisorFolder })
  const env = () => ({ ...process.env, DOCKER_HOST: engine.host })

  test('makes no image of its own', async () => {
    const world = await DockerWorld.open(env(), { ...options(), agentFolder })
    const said: string[] = []
    await world.engine.runtimeImage({ from: 'default' }, (line) => said.push(line), new AbortController().signal)
    await world.close()
    expect(said).toEqual([])
  })

  test('runs sessions in sandboxes of it', async () => {
    const tested = await openDocker(env(), ['docker', '-H', engine.host], options())
    try {
      const program = `import { execFileSync } from 'node:child_process'; console.log(process.arch, process.getuid(), String(execFileSync('git', ['--version'])))`
      const { stdout, exit } = await toTheEnd(await tested.open(), program)
      expect(stdout.toString()).toMatch(new RegExp(`^${arch} 1000 git version 2`))
      expect(exit).toMatchObject({ code: 0 })
    } finally {
      await tested.close()
    }
  })
})
