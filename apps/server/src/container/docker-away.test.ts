// @suite unit-long
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import type { ContainerSpec, Containers } from './containers.ts'
import { checkEngine } from './engine-info.ts'
import type { Bounds } from './docker-options.ts'
import { dockerFolder, DockerWorld, never } from './testing/docker-world.ts'
import { fakeDaemon, greetingDaemon, halfOpenDaemon, type FakeDaemon } from './testing/fake-daemon.ts'

/** Short enough for a test; nothing here measures time. */
const bounds: Bounds = { callMs: 100, pollMs: 50, lostMs: 300, registrySilenceMs: 100 }
const spec: ContainerSpec = {
  name: 'x',
  image: 'sha256:0',
  labels: { execution: 'ex-0123456789', kind: 'work' },
  network: 'none',
  linkFolder: '/nowhere',
  magic: '0'.repeat(32),
  cpus: 1,
  memoryBytes: 1024 ** 3,
  processes: 64,
}

/** Every method of the port that asks Docker something, except the wait for an exit. */
const calls: Record<string, (engine: Containers) => Promise<unknown>> = {
  runtimeImage: (engine) => engine.runtimeImage({ from: 'image', name: 'debian' }, () => {}, never),
  findImage: (engine) => engine.findImage('debian'),
  commit: (engine) => engine.commit('x', 'y:z'),
  create: (engine) => engine.create(spec),
  lastWords: (engine) => engine.lastWords('x'),
  start: (engine) => engine.start('x'),
  stop: (engine) => engine.stop('x', 0),
  remove: (engine) => engine.remove('x'),
  inspect: (engine) => engine.inspect('x'),
  list: (engine) => engine.list(),
}

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const it of open.splice(0)) await it.close()
})

async function engineAt(dockerHost: string, callMs = bounds.callMs): Promise<Containers> {
  const world = await DockerWorld.open({}, { dockerHost, bounds: { ...bounds, callMs } })
  open.push(world)
  return world.engine
}

async function engineOf(daemon: Promise<FakeDaemon>, callMs?: number): Promise<Containers> {
  const fake = await daemon
  const engine = await engineAt(fake.dockerHost, callMs)
  open.push(fake)
  return engine
}

describe('without a daemon at the socket', () => {
  const nowhere = `unix://${join(tmpdir(), 'beadloom-no-such-docker.sock')}`

  test('health says where it looked and what to do', async () => {
    const health = await (await engineAt(nowhere)).health()
    expect(health).toMatchObject({ ok: false, cpus: 0, weaker: [] })
    expect(health.text).toMatch(
      /does not answer at .*beadloom-no-such-docker\.sock.*systemctl start docker.*DOCKER_HOST/,
    )
    expect(await checkEngine({ DOCKER_HOST: nowhere })).toEqual({ name: 'docker', ok: false, text: health.text })
  })

  test('an engine of config.json is named by its setting there, whatever is in the environment', async () => {
    const check = (dockerHost: string) =>
      checkEngine(
        { DOCKER_HOST: 'tcp://other:1', DOCKER_CONTEXT: 'mine' },
        { slots: 3, other: { name: 'box', dockerHost } },
      )
    const { name, ok, text } = await check(nowhere)
    expect({ name, ok }).toEqual({ name: 'box', ok: false })
    expect(text).toMatch(/calls it "box"\): start it.*, or correct "engines\.box\.docker" in config\.json$/)
    expect(text).not.toMatch(/DOCKER_(HOST|CONTEXT)/)
    expect((await check('ssh://me:secret@box')).text).toMatch(/^"engines\.box\.docker" in config\.json cannot be "ssh:/)
  })

  test.each(Object.entries(calls))('%s is rejected as unreachable', async (_, call) => {
    await expect(call(await engineAt(nowhere))).rejects.toMatchObject({ name: 'EngineError', kind: 'unreachable' })
  })

  test('waiting for an exit ends: the container is lost', async () => {
    expect(await (await engineAt(nowhere)).waitForExit('x', never)).toMatchObject({ lost: true })
  })
})

describe('with a daemon that accepts and never answers', () => {
  test('health says that it hangs', async () => {
    const health = await (await engineOf(halfOpenDaemon())).health()
    expect(health).toMatchObject({ ok: false })
    expect(health.text).toMatch(/has not answered .* systemctl restart docker/)
  })

  test.each(Object.entries(calls))('%s is rejected as timed out', async (_, call) => {
    await expect(call(await engineOf(halfOpenDaemon()))).rejects.toMatchObject({
      name: 'EngineError',
      kind: 'timed-out',
    })
  })

  test('waiting for an exit ends: the container is lost', async () => {
    expect(await (await engineOf(halfOpenDaemon())).waitForExit('x', never)).toMatchObject({ lost: true })
  })
})

describe('with a daemon that goes away while a container runs', () => {
  const started = '2030-01-01T00:00:00.123456789Z'
  type State = {
    Status: string
    Running: boolean
    ExitCode: number
    OOMKilled: boolean
    StartedAt: string
    FinishedAt: string
  }
  const running: State = {
    Status: 'running',
    Running: true,
    ExitCode: 0,
    OOMKilled: false,
    StartedAt: started,
    FinishedAt: '0001-01-01T00:00:00Z',
  }
  const exited = (code: number, finished = new Date()): State => ({
    ...running,
    Status: 'exited',
    Running: false,
    ExitCode: code,
    FinishedAt: finished.toISOString(),
  })

  const about = JSON.stringify({ NCPU: 2, MemTotal: 2 ** 33, ApiVersion: '1.41' })
  /**
   * Answers `inspect` and `events` with these in turn (null: the connection breaks), and then always with the last one.
   * `wait` never ends well.
   */
  function daemon(states: (State | null)[]): RequestListener {
    return (request, response) => {
      if (request.url?.includes('/wait')) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{')
        return void setImmediate(() => response.destroy()) // the header came, the body never does
      }
      if (/^\/(info|version|exec)/.test(request.url ?? '')) return void response.writeHead(200).end(about)
      const state = states.length > 1 ? states.shift() : states[0]
      if (!state) return void response.destroy()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ Id: 'x', State: state, Config: { Labels: {} } }))
    }
  }
  /** Never hangs, so a busy machine has all the time it needs for an answer. */
  const exitOf = async (...states: (State | null)[]) =>
    (await engineOf(fakeDaemon(daemon(states)), 30_000)).waitForExit('x', never)

  test('a broken wait does not hang: inspect tells the exit', async () => {
    expect(await exitOf(running, exited(3))).toMatchObject({
      code: 3,
      lost: false,
      startedAt: Date.parse('2030-01-01T00:00:00.123Z'),
    })
  })

  test('a container that survived it ends as it ends', async () => {
    expect(await exitOf(running, null, null, running, exited(0))).toMatchObject({ code: 0, lost: false })
  })

  test.each([137, 143])('a container that ended with it is lost (exit code %i)', async (code) => {
    expect(await exitOf(running, null, exited(code))).toMatchObject({ code, lost: true })
  })

  test('a daemon that is back before anybody looks has still been away', async () => {
    expect(await exitOf(running, exited(143))).toMatchObject({ lost: true })
  })

  test('a container that dockerd killed just before it went is lost', async () => {
    expect(await exitOf(running, exited(137), null, exited(137))).toMatchObject({ code: 137, lost: true })
  })

  test('a kill long before the downtime is not blamed on dockerd', async () => {
    expect(await exitOf(null, exited(137, new Date(Date.now() - 3_600_000)))).toMatchObject({ code: 137, lost: false })
  })

  test('a killed program under a living daemon is not lost', async () => {
    expect(await exitOf(exited(137))).toMatchObject({ code: 137, lost: false })
  })
})

test.each(['create', 'start'])('an error of Docker itself at %s is its failure, not a refusal', async (call) => {
  const State = { Status: 'created', Running: false, StartedAt: '0001-01-01T00:00:00Z' }
  const known = { NCPU: 2, MemTotal: 2 ** 33, Id: 'x', State, Config: { Labels: {} } }
  const daemon = fakeDaemon((request, response) => {
    response.writeHead(request.method === 'POST' ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(request.method === 'POST' ? { message: 'not today' } : known))
  })
  await expect(calls[call]?.(await engineOf(daemon))).rejects.toMatchObject({ name: 'EngineError', kind: 'failed' })
})

test.each(['create', 'start', 'list'])(
  'an error of an engine that is away right after it (%s) is no failure of the engine',
  async (call) => {
    let isGoing = false
    const State = { Status: 'running', Running: true, StartedAt: '0001-01-01T00:00:00Z' }
    const known = { NCPU: 2, MemTotal: 2 ** 33, Id: 'x', State, Config: { Labels: {} } }
    const daemon = fakeDaemon((request, response) => {
      const { method, url = '' } = request
      const isLast = method !== 'GET' || url.startsWith('/containers/json')
      if (isGoing) return void response.destroy()
      isGoing = isLast
      response.writeHead(isLast ? 500 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isLast ? { message: 'context canceled' } : known))
    })
    await expect(calls[call]?.(await engineOf(daemon, 30_000))).rejects.toMatchObject({
      name: 'EngineError',
      kind: 'unreachable',
    })
  },
)

test('something else at the address is named as such', async () => {
  const text = async (daemon: Promise<FakeDaemon>) => (await (await engineOf(daemon)).health()).text
  const page = fakeDaemon((_, response) => response.end('<html>Welcome</html>'))
  expect(await text(page)).toMatch(/is not Docker.*DOCKER_HOST/)
  expect(await text(greetingDaemon('SSH-2.0-OpenSSH_9.2\r\n'))).toMatch(/is not Docker.*DOCKER_HOST/)
})

test('without a registry, packages or an image from elsewhere, the error names the three ways out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bl-docker-'))
  open.push({ close: () => rm(folder, { recursive: true }) })
  await cp(dockerFolder, folder, { recursive: true })
  await writeFile(join(folder, 'make-base.sh'), 'echo "no packages on this machine" >&2; exit 1\n')
  const daemon = await fakeDaemon((request, response) => {
    const found = request.url?.startsWith('/_ping') ?? false
    response.writeHead(found ? 200 : request.method === 'GET' ? 404 : 500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message: 'no such host' }))
  })
  const world = await DockerWorld.open({}, { dockerHost: daemon.dockerHost, dockerFolder: folder })
  open.push(world, daemon)
  const failure = await world.runtimeImage().catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'EngineError', kind: 'image-build-failed' })
  expect(String(failure)).toMatch(
    /docker pull debian:bookworm-slim.*as root on Debian.*docker save beadloom\/base:.*docker load[\s\S]*no packages on this machine/,
  )
})

test('an impossible Docker address is refused with the possible forms', async () => {
  await expect(engineAt('gopher://somewhere')).rejects.toMatchObject({ kind: 'refused' })
  const { text } = await checkEngine({ DOCKER_HOST: 'gopher://somewhere' })
  expect(text).toMatch(/DOCKER_HOST cannot be "gopher:.*unix:\/\/.*tcp:\/\/.*ssh:\/\//)
})
