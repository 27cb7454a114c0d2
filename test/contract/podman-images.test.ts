// @suite podman
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DockerClient } from '@beadloom/server/src/container/docker-client.ts'
import { ImageStore } from '@beadloom/server/src/container/images/image-store.ts'
import { NamedImages } from '@beadloom/server/src/container/images/named-images.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Registry } from '../kubernetes/registry.ts'
import { Podman, podmanIsMissing } from '../support/podman.ts'
import { tinyImage } from './tiny-image.ts'

/* Images that repositories name, on a Podman whose user has signed in at a registry. */

const missing = await podmanIsMissing('rootful')
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)

describe.skipIf(missing !== null)('an image that a repository names, on Podman', () => {
  const registries: Registry[] = []
  const hosts: string[] = []
  let folder: string
  let podman: Podman | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bl-named-'))
    for (const account of [undefined, 'ada:secret']) {
      const port = await freePort()
      const at = { folder: join(folder, `registry-${port}`), addresses: ['127.0.0.1'], port }
      registries.push(await Registry.start({ ...at, ...(account !== undefined && { account }) }))
      hosts.push(`127.0.0.1:${port}`)
    }
    const insecure = hosts.map((host) => `[[registry]]\nlocation = "${host}"\ninsecure = true\n`).join('')
    writeFileSync(join(folder, 'registries.conf'), insecure)
    const auth = Buffer.from('ada:secret').toString('base64')
    mkdirSync(join(folder, '.docker'))
    writeFileSync(
      join(folder, '.docker', 'config.json'),
      JSON.stringify({ auths: Object.fromEntries(hosts.map((host) => [host, { auth }])) }),
    )
    vi.stubEnv('CONTAINERS_REGISTRIES_CONF', join(folder, 'registries.conf'))
    vi.stubEnv('HOME', folder)
    podman = await Podman.start('rootful', () => {})
    const tiny = tinyImage([], 'podman-images')
    for (const host of hosts) {
      const name = `${host}/app:1`
      await inPodman(`docker tag ${tiny} ${name} && docker save ${name} | $PODMAN load; docker rmi ${name}`)
      await inPodman(`$PODMAN push ${name} && $PODMAN rmi ${name} && $PODMAN pull ${name}`)
    }
    await inPodman(`docker rmi ${tiny}`)
  })
  afterAll(async () => {
    await podman?.stop()
    for (const registry of registries) await registry.stop()
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  const socketOf = () => podman!.host
  const inPodman = (script: string) =>
    promisify(execFile)('sh', ['-c', script.replaceAll('$PODMAN', `podman --url ${socketOf()}`)])

  function ensure(name: string, allowed: string[] = []): Promise<string> {
    const images = new ImageStore(new DockerClient({ env: { DOCKER_HOST: socketOf() }, clock: systemClock }))
    const named = new NamedImages(images, allowed, { registry: () => 'known' })
    return named.ensure(name, 'its name', () => {}, new AbortController().signal)
  }

  test('is there only if its registry gives it to everybody, or the settings allow it', async () => {
    const [open, closed] = hosts.map((host) => `${host}/app:1`) as [string, string]
    expect(await ensure(open)).toMatch(/^sha256:/)
    await expect(ensure(closed)).rejects.toThrow(/no registry gives it to everybody/)
    expect(await ensure(closed, [closed])).toMatch(/^sha256:/)
  })

  test('is pulled without the sign-in of the engine’s user, unless the settings allow it', async () => {
    const [open, closed] = hosts.map((host) => `${host}/app:1`) as [string, string]
    await inPodman(`$PODMAN rmi --force ${open} ${closed}`)
    expect(await ensure(open)).toMatch(/^sha256:/)
    await expect(ensure(closed)).rejects.toThrow(/cannot be pulled.*unauthorized/s)
    expect(await ensure(closed, [closed])).toMatch(/^sha256:/)
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
