// @suite contract-long
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DockerContainers } from '@beadloom/server/src/container/docker-containers.ts'
import { dockerIsHere, DockerWorld } from '@beadloom/server/src/container/testing/docker-world.ts'
import { Registry } from '../kubernetes/registry.ts'
import { tinyImage } from './tiny-image.ts'

/* The real Docker pushes images to a real registry on this machine, which asks for an account. */

const ACCOUNT = 'beadloom:secret-of-the-registry'
const never = new AbortController().signal
let folder: string
let port: number
let registry: Registry
let world: DockerWorld
let image: string

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

describe.skipIf(!(await dockerIsHere(process.env)))('a push', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bl-push-'))
    port = await freePort()
    registry = await Registry.start({
      folder: join(folder, 'registry'),
      addresses: ['127.0.0.1'],
      port,
      account: ACCOUNT,
    })
    world = await DockerWorld.open({ ...process.env, DOCKER_CONFIG: folder })
    image = execFileSync('docker', ['image', 'inspect', '--format', '{{.Id}}', tinyImage([], 'push')], {
      encoding: 'utf8',
    }).trim()
  })
  afterAll(async () => {
    await registry?.stop()
    await world?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is refused by a registry that knows nobody here, with what to do about it, and the image keeps no name of it', async () => {
    signIn(null)
    await expect(push(`127.0.0.1:${port}/team`)).rejects.toThrow(
      new RegExp(`could not be pushed: .*: run "docker login 127.0.0.1:${port}" as the user who runs the server`),
    )
    signIn('beadloom:wrong')
    const wrong = push(`127.0.0.1:${port}/team`)
    await expect(wrong).rejects.toThrow('docker login')
    await expect(wrong).rejects.not.toThrow('wrong"')
    expect(registry.pushed).toEqual([])
    expect(names()).not.toContain(`127.0.0.1:${port}`)
  })

  test('goes out as the user of "docker login", reports progress and gets its digest; again costs nothing', async () => {
    signIn(ACCOUNT)
    const told: string[] = []
    const first = await push(`127.0.0.1:${port}/team`, told)
    expect(first.reference).toMatch(new RegExp(`^127\\.0\\.0\\.1:${port}/team/beadloom-sandbox:[0-9a-f]{40}$`))
    expect(told).toContain('1 of 1 layers are there')
    const answer = await fetch(`http://127.0.0.1:${port}/v2/team/beadloom-sandbox/manifests/${first.digest}`, {
      headers: { authorization: `Basic ${Buffer.from(ACCOUNT).toString('base64')}` },
    })
    expect(await answer.json()).toMatchObject({ config: { digest: image } })
    expect(await push(`127.0.0.1:${port}/team`)).toEqual(first)
    expect(names()).not.toContain(`127.0.0.1:${port}`)
  })

  test('that is stopped ends at once and keeps no name here; the next one is whole', async () => {
    signIn(ACCOUNT)
    const release = Promise.withResolvers<void>()
    registry.hold = release.promise
    const stop = new AbortController()
    const stopped = push(`127.0.0.1:${port}/stopped`, [], stop.signal)
    await vi.waitUntil(() => registry.held > 0, { timeout: 30_000 })
    stop.abort()
    // The registry has not answered yet. Docker finishes a name that it has begun to send, and that image is complete,
    // too.
    await expect(stopped).rejects.toThrow()
    expect(names()).not.toContain(`127.0.0.1:${port}`)
    registry.hold = null
    release.resolve()
    const { reference } = await push(`127.0.0.1:${port}/stopped`)
    expect(reference).toContain('/stopped/')
  })

  test('to a registry that is away says so', async () => {
    const away = await freePort()
    await expect(push(`127.0.0.1:${away}/team`)).rejects.toThrow(
      `127.0.0.1:${away} does not answer the Docker engine. Is that its name, and is it running?`,
    )
  })
})

const signIn = (account: string | null) => {
  mkdirSync(folder, { recursive: true })
  const auths = account === null ? {} : { [`127.0.0.1:${port}`]: { auth: Buffer.from(account).toString('base64') } }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths }))
}
const push = (to: string, told: string[] = [], signal = never) =>
  new DockerContainers(world.options).push(image, to, (line) => told.push(line), signal)
const names = () =>
  execFileSync('docker', ['image', 'inspect', '--format', '{{.RepoTags}}', image], { encoding: 'utf8' })
