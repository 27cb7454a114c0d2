// @suite remote
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PrivateDocker } from '../crash/private-docker.ts'
import { LoopbackSsh, sshdIsMissing } from '../support/loopback-ssh.ts'
import { TlsCertificates } from '../support/tls-certificates.ts'
import { openDocker } from './docker-under-test.ts'
import { engineContract } from './engine-contract.ts'
import { tinyImage } from './tiny-image.ts'

/*
 * A real dockerd that might be on another machine: it has its own mounts, in which the folder of all test data and this
 * repository are empty. It shares only its API with the servers of these tests.
 */

const missing = process.getuid?.() === 0 ? sshdIsMissing() : 'an engine of its own wants root'
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
if (missing !== null) console.warn(`SKIPPED: tests on an engine that sees no file of this machine. ${missing}`)

const repository = join(import.meta.dirname, '..', '..')
const { DOCKER_HOST: _, DOCKER_CONTEXT: __, DOCKER_CERT_PATH: ___, DOCKER_TLS_VERIFY: ____, ...plain } = process.env

describe.skipIf(missing !== null)('Docker that sees no file of this machine', () => {
  let engine: PrivateDocker
  let certificates: TlsCertificates
  let ssh: LoopbackSsh

  beforeAll(async () => {
    certificates = new TlsCertificates()
    ssh = await LoopbackSsh.start()
    const hides = [tmpdir(), repository]
    engine = await PrivateDocker.start({ liveRestore: false, certificates: certificates.server, hides })
  }, 600_000)
  afterAll(async () => {
    await engine?.remove()
    await ssh?.stop()
    certificates?.remove()
  })

  test('finds none of the files that are put before it, unlike the engine beside it', () => {
    const data = mkdtempSync(join(tmpdir(), 'bl-seen-'))
    const file = join(data, 'file')
    writeFileSync(file, 'of this machine')
    const mounted = (path: string, ...host: string[]): string => {
      const image = tinyImage(host, 'apart')
      const mount = `type=bind,source=${path},target=/seen,readonly`
      const asked = ['run', '--rm', '--network', 'none', '--mount', mount, image, '/bin/cat', '/seen']
      return execFileSync('docker', [...host, ...asked], { encoding: 'utf8', stdio: 'pipe' })
    }
    expect(mounted(file)).toBe('of this machine')
    for (const path of [file, join(repository, 'package.json')])
      expect(() => mounted(path, '-H', engine.host)).toThrow(/bind source path does not exist/)
    rmSync(data, { recursive: true })
  })

  const ways: [string, () => Record<string, string | undefined>][] = [
    [
      'by tcp with TLS',
      () => ({
        ...plain,
        DOCKER_HOST: `tcp://127.0.0.1:${engine.port}`,
        DOCKER_TLS_VERIFY: '1',
        DOCKER_CERT_PATH: certificates.client,
      }),
    ],
    ['by ssh', () => ({ ...plain, ...ssh.env(), DOCKER_HOST: ssh.address(engine.host.slice('unix://'.length)) })],
    // As with an engine in a snap or a container, whose socket is in the usual place.
    ['by a socket, as if it were an engine of this machine', () => ({ ...plain, DOCKER_HOST: engine.host })],
  ]
  describe.each(ways)('%s', (_way, env) => {
    const open = () => openDocker(env(), ['docker', '-H', engine.host])
    engineContract(open)

    test('says why its agents are not reached by a socket, once it is known', async () => {
      const opened = await open()
      await opened.open()
      expect((await opened.engine.health()).text).toMatch(/agents are reached through its exec, because the engine /)
      await opened.close()
    })
  })
})
