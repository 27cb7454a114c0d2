import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DockerClient } from '@beadloom/server/src/container/docker-client.ts'
import { GivenImages } from '@beadloom/server/src/container/images/given-images.ts'
import { tarOf } from '@beadloom/server/src/container/images/image-files.ts'
import { registryOf } from '@beadloom/server/src/container/images/image-name.ts'
import { ImageStore } from '@beadloom/server/src/container/images/image-store.ts'
import { NamedImages } from '@beadloom/server/src/container/images/named-images.ts'
import { RepositoryImages } from '@beadloom/server/src/container/images/repository-images.ts'
import { dockerIsHere } from '@beadloom/server/src/container/testing/docker-world.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Registry } from '../kubernetes/registry.ts'
import { tinyImage } from './tiny-image.ts'

/*
 * Images that repositories name, on a real Docker with images of several people, and with registries on this machine.
 */

const here = await dockerIsHere(process.env)
const never = new AbortController().signal
const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
/** Asynchronous: the registries are in this process. */
const remotely = (...args: string[]) => promisify(execFile)('docker', args)
const OTHERS = 'beadloom-tests/others:1'
const PROJECTS = 'beadloom/project-named-images-test:1'
const TRAP = 'beadloom-tests/trap:1'

describe.skipIf(!here)('an image that a repository names', () => {
  const images = new ImageStore(new DockerClient({ env: process.env, clock: systemClock }))
  const made = new Set([OTHERS, PROJECTS, TRAP])
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bl-named-'))
    const tiny = tinyImage([], 'named-images')
    for (const name of [OTHERS, PROJECTS]) {
      const built = `FROM ${tiny}\nLABEL of=${name}\n`
      execFileSync('docker', ['build', '--quiet', '--tag', name, '-'], { input: built, stdio: 'pipe' })
    }
    const trap = `FROM ${tiny}\nONBUILD COPY --from=${PROJECTS} / /\n`
    execFileSync('docker', ['build', '--quiet', '--tag', TRAP, '-'], { input: trap, stdio: 'pipe' })
  })
  afterAll(() => {
    for (const name of made) docker('rmi', '--force', name)
    rmSync(folder, { recursive: true, force: true })
  })

  /** The registries here are on this machine. Each call is of a new server, which keeps `given`. */
  const ensure = (
    name: string,
    allowed: string[] = [],
    registry: typeof registryOf = () => 'known',
    given = new GivenImages(join(folder, 'given')),
  ) => new NamedImages(images, allowed, { registry, given }).ensure(name, 'its name', () => {}, never)
  const idOf = (name: string) => docker('image', 'inspect', '--format', '{{.Id}}', name)

  test('is not somebody else’s image on this machine, unless the settings allow its name', async () => {
    const refusal = /^the image beadloom-tests\/others:1 is not used .* add "beadloom-tests\/others:1" to "images"/
    await expect(ensure(OTHERS)).rejects.toMatchObject({
      kind: 'image-missing',
      message: expect.stringMatching(refusal),
    })
    await expect(ensure(OTHERS, ['beadloom-tests/other:*'])).rejects.toThrow(refusal)
    expect(await ensure(OTHERS, ['beadloom-tests/*'])).toBe(idOf(OTHERS))
  })

  test('is refused as a whole or partial id, which does not say whose it is', async () => {
    const [, hex = ''] = idOf(OTHERS).split(':')
    for (const id of [hex.slice(0, 12), hex, `sha256:${hex}`])
      await expect(ensure(id, ['beadloom-tests/*'])).rejects.toThrow(/is not used for a project/)
  })

  test('is never one that Beadloom made for a project, whatever the settings allow', async () => {
    const [, hex = ''] = idOf(PROJECTS).split(':')
    for (const name of [PROJECTS, `docker.io/${PROJECTS}`, hex.slice(0, 12), `sha256:${hex}`])
      await expect(ensure(name, ['*'])).rejects.toThrow(/what is in it belongs to a project/)
    await expect(ensure('beadloom/runtime:none', ['*'])).rejects.toThrow(/belongs to a project/)
  })

  test('takes no files of another image when something is built on it', async () => {
    await expect(ensure(TRAP, ['*'])).rejects.toThrow(
      /takes files of beadloom\/project-named-images-test:1 \(ONBUILD\)/,
    )
  })

  test('in a Dockerfile is looked at before anything is built', async () => {
    const lines: string[] = []
    const building = new RepositoryImages(images, new NamedImages(images, []), {}).ensure(
      {
        from: 'dockerfile',
        path: 'Dockerfile',
        images: [OTHERS],
        context: () => Promise.reject(new Error('it was built')),
        cacheKey: folder,
        timeoutMs: 60_000,
        limits: { cpus: 1, memoryBytes: 1024 ** 3, processes: 64 },
        network: 'none',
      },
      null,
      (line) => lines.push(line),
      never,
    )
    await expect(building).rejects.toThrow(/the image beadloom-tests\/others:1 is not used/)
    expect(lines).toEqual([])
  })

  test('is the one that was looked at: the checked text of the Dockerfile replaces the file, and adds none', async () => {
    const text = `FROM ${OTHERS}\nCOPY . /in/\nRUN echo "in it:" /in/* /in/.bead* && exit 3\n`
    const files = { Dockerfile: `FROM ${PROJECTS}\n`, 'a.txt': 'a' }
    const building = new RepositoryImages(images, new NamedImages(images, [OTHERS]), {}).ensure(
      {
        from: 'dockerfile',
        path: 'Dockerfile',
        text,
        isInside: true,
        images: [OTHERS],
        context: async () =>
          tarOf(Object.entries(files).map(([name, content]) => ({ name, mode: 0o644, text: content }))),
        cacheKey: folder,
        timeoutMs: 60_000,
        limits: { cpus: 1, memoryBytes: 1024 ** 3, processes: 64 },
        network: 'none',
      },
      null,
      () => {},
      never,
    )
    await expect(building).rejects.toThrow('in it: /in/Dockerfile /in/a.txt /in/.bead*')
  })

  test('is taken from a registry that gives it to everybody, not from one where somebody here has signed in', async () => {
    const account = 'ada:secret'
    const [open, closed] = [await registry('open'), await registry('closed', account)]
    const config = ['--config', join(folder, 'docker')]
    await remotely(...config, 'login', '--username', 'ada', '--password', 'secret', closed.host)
    for (const { host } of [open, closed]) {
      made.add(`${host}/app:1`)
      docker('tag', OTHERS, `${host}/app:1`)
      await remotely(...config, 'push', `${host}/app:1`)
    }
    expect(await ensure(`${open.host}/app:1`)).toBe(idOf(OTHERS))
    await expect(ensure(`${closed.host}/app:1`)).rejects.toThrow(/no registry gives it to everybody/)
    docker('rmi', `${open.host}/app:1`, `${closed.host}/app:1`)
    await expect(ensure(`${closed.host}/app:1`)).rejects.toThrow(/cannot be pulled.*to "images" in config\.json/)
    expect(await ensure(`${open.host}/app:1`)).toBe(idOf(OTHERS))
    await open.stop()
    // The registry is away: an image pulled from it stays in use, one only named after it does not.
    expect(await ensure(`${open.host}/app:1`)).toBe(idOf(OTHERS))
    await expect(ensure(`${open.host}/app:1`, [], () => 'known', new GivenImages(null))).rejects.toThrow(
      /its registry did not say whether .* add ".*\/app:1" to "images" in config\.json/s,
    )
    made.add(`${open.host}/made-here:1`)
    docker('tag', TRAP, `${open.host}/made-here:1`)
    await expect(ensure(`${open.host}/made-here:1`)).rejects.toThrow(/is not used for a project/)
    await closed.stop()
  })

  test('makes the engine ask no registry of its own machine that the settings do not name', async () => {
    const { host, stop } = await registry('inside')
    const name = `${host}/app:1`
    await expect(ensure(name, [], registryOf)).rejects.toThrow(
      /is not used for a project: its registry is on the engine/,
    )
    await expect(ensure(name, [`${host}/*`], registryOf)).rejects.toThrow(/cannot be pulled/)
    await stop()
  })

  test('makes the engine tell its name to no registry that somebody could have made for it', async () => {
    const name = 'registry.example.org/words-of-somebody:1'
    await expect(ensure(name, [], registryOf)).rejects.toThrow(
      /its registry is none that everybody uses.*add "registry\.example\.org\/\*" to "images"/,
    )
  })

  async function registry(name: string, account?: string): Promise<{ host: string; stop: () => Promise<void> }> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const at = { folder: join(folder, name), addresses: ['127.0.0.1'], port }
    const started = await Registry.start({ ...at, ...(account !== undefined && { account }) })
    return { host: `127.0.0.1:${port}`, stop: () => started.stop() }
  }
})
