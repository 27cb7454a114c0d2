// @suite remote
import { createHash, randomBytes } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeChoice } from '@beadloom/server/src/container/connection/choose-engine.ts'
import { DockerClient } from '@beadloom/server/src/container/docker-client.ts'
import { statusOf } from '@beadloom/server/src/container/docker-error.ts'
import { checkEngine, readFacts } from '@beadloom/server/src/container/engine-info.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { PrivateDocker } from '../crash/private-docker.ts'
import { LoopbackSsh, sshdIsMissing } from '../support/loopback-ssh.ts'
import { TlsCertificates } from '../support/tls-certificates.ts'
import { tinyImage } from './tiny-image.ts'

const missing = process.getuid?.() === 0 ? sshdIsMissing() : 'an engine of its own wants root'
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
if (missing !== null) console.warn(`SKIPPED: tests on engines that are reached in other ways. ${missing}`)

type Env = Record<string, string | undefined>
const { DOCKER_HOST: _, DOCKER_CONTEXT: __, DOCKER_CERT_PATH: ___, DOCKER_TLS_VERIFY: ____, ...plain } = process.env

/** A separate real dockerd, reached in every way but the usual one. */
describe.skipIf(missing !== null)('an engine', () => {
  let engine: PrivateDocker
  let certificates: TlsCertificates
  let ssh: LoopbackSsh
  let settings: string
  let image: string

  beforeAll(async () => {
    certificates = new TlsCertificates()
    ssh = await LoopbackSsh.start()
    engine = await PrivateDocker.start({ liveRestore: false, images: false, certificates: certificates.server })
    settings = mkdtempSync(join(tmpdir(), 'bl-contexts-'))
    image = tinyImage(['-H', engine.host], 'remote')
    const create = (name: string, endpoint: string) =>
      execFileSync('docker', ['context', 'create', name, '--docker', endpoint], {
        env: { ...plain, DOCKER_CONFIG: settings },
        stdio: 'ignore',
      })
    create('odd-place', `host=${engine.host}`)
    const files = ['ca', 'cert', 'key'].map((file) => `${file}=${certificates.client}/${file}.pem`)
    create('by-tls', `host=${byTls()},${files.join(',')}`)
    create('by-ssh', `host=${bySsh()}`)
  })
  afterAll(async () => {
    await engine?.remove()
    await ssh?.stop()
    certificates?.remove()
    if (settings) rmSync(settings, { recursive: true, force: true })
  })

  const byTls = () => `tcp://127.0.0.1:${engine.port}`
  const bySsh = () => ssh.address(engine.host.slice('unix://'.length))
  const withTls = (folder = certificates.client) => ({
    ...plain,
    DOCKER_HOST: byTls(),
    DOCKER_TLS_VERIFY: '1',
    DOCKER_CERT_PATH: folder,
  })
  const inContext = (name: string): Env => ({ ...ssh.env(), ...without, DOCKER_CONFIG: settings, DOCKER_CONTEXT: name })
  const without = { DOCKER_HOST: undefined, DOCKER_CERT_PATH: undefined, DOCKER_TLS_VERIFY: undefined }

  describe.each<[string, () => Env, RegExp, boolean]>([
    [
      'a socket at an unusual place, by a docker context',
      () => inContext('odd-place'),
      /bl-dockerd-.*DOCKER_CONTEXT is odd-place$/,
      true,
    ],
    ['tcp with TLS, by DOCKER_HOST', () => withTls(), /^tcp:.*: DOCKER_HOST is set$/, false],
    ['tcp with TLS, by a docker context', () => inContext('by-tls'), /^tcp:.*: DOCKER_CONTEXT is by-tls$/, false],
    [
      'ssh, by DOCKER_HOST',
      () => ({ ...ssh.env(), ...without, DOCKER_HOST: bySsh() }),
      /^ssh:.*: DOCKER_HOST is set$/,
      false,
    ],
    ['ssh, by a docker context', () => inContext('by-ssh'), /^ssh:.*: DOCKER_CONTEXT is by-ssh$/, false],
  ])('reached by %s', (_way, env, where, shares) => {
    const open = () => new DockerClient({ env: env(), clock: systemClock })

    test('says what it is, and whether it shares this host', async () => {
      const client = open()
      const facts = await readFacts(client)
      expect(facts).toMatchObject({ unusable: null, abilities: { exec: true }, sharesHost: { shares } })
      expect(client.choice && describeChoice(client.choice)).toMatch(where)
      expect(facts.weaker.filter((line) => /clock|TLS/.test(line))).toEqual([])
      const check = await checkEngine(env())
      expect(check).toMatchObject({
        name: 'docker',
        ok: true,
        text: expect.stringContaining(client.choice?.why ?? '-'),
      })
    })

    test('carries a megabyte both ways through a container and through a program in it, and closes each direction separately', async () => {
      const { docker } = open()
      const made = { Image: image, Cmd: ['/bin/cat'], OpenStdin: true, StdinOnce: true, AttachStdin: true }
      const container = await docker.createContainer({ ...made, HostConfig: { NetworkMode: 'none' } })
      try {
        const stream = await container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true })
        await container.start()
        const command = await container.exec({ Cmd: ['/usr/bin/sha256sum'], AttachStdin: true, AttachStdout: true })
        const hashing = await command.start({ hijack: true, stdin: true })
        const bytes = randomBytes(1024 * 1024)
        const hash = await sent(docker, hashing, bytes)
        const echo = await sent(docker, stream, bytes) // the end of this stream ends the container
        expect(echo.equals(bytes)).toBe(true)
        expect(hash.toString()).toContain(createHash('sha256').update(bytes).digest('hex'))
        expect(await container.wait()).toMatchObject({ StatusCode: 0 })
      } finally {
        await container.remove({ force: true })
      }
    })

    test("returns the output, and the engine's own errors", async () => {
      const client = open()
      const line = 'a line of output, one of many'
      const script = `i=0; while [ $i -lt 20000 ]; do echo '${line}'; i=$((i+1)); done`
      const made = { Image: image, Cmd: ['/bin/sh', '-c', script], HostConfig: { NetworkMode: 'none' } }
      const container = await client.docker.createContainer(made)
      try {
        await container.start()
        await container.wait()
        const query = { stdout: true, stderr: true }
        const path = `/containers/${container.id}/logs`
        const log = await client.stream({ method: 'GET', path, query, signal: AbortSignal.timeout(60_000) })
        expect((await demultiplexed(client.docker, log)).toString()).toBe(`${line}\n`.repeat(20_000))
      } finally {
        await container.remove({ force: true })
      }
      const gone = client.call('look', (signal) =>
        client.request({ method: 'GET', path: '/containers/none/json', signal }),
      )
      expect(statusOf(await gone.catch((error: unknown) => error))).toBe(404)
    })

    test('leaves nothing behind when a call is given up', async () => {
      const client = open()
      const made = { Image: image, Cmd: ['/usr/bin/sleep', 'infinity'], HostConfig: { NetworkMode: 'none' } }
      const container = await client.docker.createContainer(made)
      try {
        await container.start()
        const giveUp = new AbortController()
        const waiting = client.docker.getContainer(container.id).wait({ abortSignal: giveUp.signal })
        const ended = expect(waiting).rejects.toThrow()
        await client.ping()
        giveUp.abort()
        await ended
      } finally {
        await container.remove({ force: true })
      }
      await expect.poll(() => ssh.connections()).toBe(0)
    })
  })

  test.each<[string, () => Env]>([
    ['by tcp with TLS', withTls],
    ['by ssh', () => inContext('by-ssh')],
  ])('that is restarted is found again in its place, %s', async (_way, env) => {
    const client = new DockerClient({ env: env(), clock: systemClock })
    await client.ping()
    await client.ping()
    await engine.kill('SIGKILL')
    await expect(client.ping()).rejects.toMatchObject({ name: 'EngineError', kind: 'unreachable' })
    await engine.begin()
    await client.ping()
  })

  describe('that cannot be reached says why', () => {
    const said = async (env: Env) => (await checkEngine({ ...without, ...env })).text

    test('without TLS if it wants TLS', async () => {
      expect(await said({ ...plain, DOCKER_HOST: byTls() })).toMatch(
        /wants TLS: set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH/,
      )
    })

    test('with the certificates of another engine', async () => {
      expect(await said(withTls(certificates.stranger))).toMatch(/is not one that ca\.pem vouches for .*check ca\.pem/)
    })

    test('with a certificate that the engine does not know', async () => {
      const mixed = mkdtempSync(join(tmpdir(), 'bl-mixed-'))
      execFileSync('cp', [
        `${certificates.client}/ca.pem`,
        `${certificates.stranger}/cert.pem`,
        `${certificates.stranger}/key.pem`,
        mixed,
      ])
      expect(await said(withTls(mixed))).toMatch(
        /does not take the certificate that it was shown .*check cert\.pem and key\.pem/,
      )
      rmSync(mixed, { recursive: true })
    })

    test('by an ssh that does not know the host', async () => {
      expect(await said({ ...ssh.env('host key'), ...without, DOCKER_HOST: bySsh() })).toMatch(
        /host key of ssh:.* is not known/,
      )
    })

    test('by an ssh whose key is refused', async () => {
      expect(await said({ ...ssh.env('user key'), ...without, DOCKER_HOST: bySsh() })).toMatch(
        /refused the ssh key.*never types a password/,
      )
    })

    test('by an ssh to a port without a listener', async () => {
      const host = ssh.address().replace(/\d+$/, '1')
      expect(await said({ ...ssh.env(), ...without, DOCKER_HOST: host })).toMatch(/cannot be reached by ssh/)
    })

    test('by an ssh to a machine whose engine is not there', async () => {
      const env = { ...ssh.env(), ...without, DOCKER_HOST: ssh.address('/nowhere/docker.sock') }
      expect(await said(env)).toMatch(/Docker does not answer on ssh:.*Start it there/)
    })

    test('without an ssh', async () => {
      expect(await said({ PATH: '/nowhere', DOCKER_HOST: ssh.address() })).toMatch(
        /needs the program ssh, which is not there/,
      )
    })
  })
})

async function sent(docker: DockerClient['docker'], stream: NodeJS.ReadWriteStream, bytes: Buffer): Promise<Buffer> {
  stream.end(bytes)
  return demultiplexed(docker, stream)
}

async function demultiplexed(docker: DockerClient['docker'], stream: NodeJS.ReadableStream): Promise<Buffer> {
  const parts: Buffer[] = []
  const sink = { write: (part: Buffer) => void parts.push(Buffer.from(part)) } as unknown as NodeJS.WritableStream
  docker.modem.demuxStream(stream, sink, sink)
  await new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
  return Buffer.concat(parts)
}
