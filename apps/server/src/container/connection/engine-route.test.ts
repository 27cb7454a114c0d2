import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { describeChoice } from './choose-engine.ts'
import { type EngineMemory, placeOf } from './engine-memory.ts'
import { EngineRoute } from './engine-route.ts'
import { lookAround, lookAt } from './look-around.ts'

let home: string
let open: Server[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bl-route-'))
  open = []
})
afterEach(async () => {
  for (const server of open) await closed(server)
  rmSync(home, { recursive: true, force: true })
})

const at = (...path: string[]) => join(home, ...path)
const closed = (server: Server) => new Promise((resolve) => server.close(resolve))

/** Starts an engine that only answers pings. */
async function engineAt(path: string, headers: Record<string, string> = { 'Api-Version': '1.41' }): Promise<Server> {
  mkdirSync(dirname(path), { recursive: true })
  const server = createServer((_, response) => response.writeHead(200, headers).end('OK'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  open.push(server)
  return server
}

function contextOf(name: string, meta: unknown): void {
  const folder = at('.docker', 'contexts', 'meta', createHash('sha256').update(name).digest('hex'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'meta.json'), typeof meta === 'string' ? meta : JSON.stringify(meta))
}

const toSocket = (path: string) => ({ Endpoints: { docker: { Host: `unix://${path}`, SkipTLSVerify: false } } })

function useContext(text: string): void {
  mkdirSync(at('.docker'), { recursive: true })
  writeFileSync(at('.docker', 'config.json'), text)
}

/** Looks only at the usual sockets below the test's home: the machine may have real ones. */
const routeIn = (env: Record<string, string> = {}, memory: EngineMemory | null = null) =>
  new EngineRoute({ env: { HOME: home, ...env }, uid: null }, systemClock, memory, async (around, clock) =>
    (await lookAround(around, clock)).filter(({ path }) => path.startsWith(home)),
  )

async function reached(route: EngineRoute): Promise<string> {
  const stream = await route.dial()
  stream.on('error', () => {}).destroy()
  return describeChoice(route.choice ?? expect.fail('a connection without a choice'))
}

const orbstack = () => at('.orbstack', 'run', 'docker.sock')
const desktop = () => at('.docker', 'run', 'docker.sock')

describe('the way to an engine', () => {
  test('is sought until an engine answers, and kept while that engine is away', async () => {
    const route = routeIn()
    await expect(route.dial()).rejects.toMatchObject({ kind: 'unreachable' })
    const engine = await engineAt(orbstack())
    expect(await reached(route)).toBe(`${orbstack()}: the first of the usual sockets that answers`)
    await engineAt(desktop())
    await closed(engine)
    expect(await reached(route)).toContain(orbstack())
    expect(await reached(routeIn())).toContain(desktop())
  })

  test('is searched once for all who ask at the same time', async () => {
    await engineAt(orbstack())
    let looks = 0
    const route = new EngineRoute({ env: {}, uid: null }, systemClock, null, (_, clock) => {
      looks++
      return lookAt([orbstack()], clock)
    })
    await Promise.all([reached(route), reached(route), reached(route)])
    expect(looks).toBe(1)
  })

  test.each(['{"currentContext":"colima"}', '{}'])(
    'follows DOCKER_CONTEXT, whatever config.json says: %s',
    async (text) => {
      useContext(text)
      contextOf('mine', toSocket(at('mine.sock')))
      expect(await reached(routeIn({ DOCKER_CONTEXT: 'mine' }))).toBe(`${at('mine.sock')}: DOCKER_CONTEXT is mine`)
    },
  )

  test('follows the current docker context, also from another settings folder', async () => {
    useContext('{"currentContext":"colima"}')
    contextOf('colima', toSocket(at('colima.sock')))
    const said = `${at('colima.sock')}: the current docker context is colima`
    expect(await reached(routeIn())).toBe(said)
    expect(await reached(routeIn({ HOME: '/nowhere', DOCKER_CONFIG: at('.docker') }))).toBe(said)
  })

  test('follows DOCKER_HOST before any context', async () => {
    useContext('{"currentContext":"colima"}')
    const env = { DOCKER_HOST: `unix://${at('x.sock')}`, DOCKER_CONTEXT: 'mine' }
    expect(await reached(routeIn(env))).toBe(`${at('x.sock')}: DOCKER_HOST is set; DOCKER_CONTEXT is ignored`)
  })

  test('is the usual Docker socket if DOCKER_CONTEXT is default', async () => {
    expect(await reached(routeIn({ DOCKER_CONTEXT: 'default' }))).toBe(
      '/var/run/docker.sock: DOCKER_CONTEXT is default',
    )
  })

  test('does not lead to another engine when the chosen context cannot be used', async () => {
    await engineAt(orbstack())
    useContext('{"currentContext":"gone"}')
    await expect(routeIn().dial()).rejects.toThrow(/the docker context "gone" does not exist .*docker context use/)
    await expect(routeIn({ DOCKER_CONTEXT: '../../x' }).dial()).rejects.toThrow(
      /does not exist.*no context can have that name/,
    )
    contextOf('gone', '{')
    await expect(routeIn().dial()).rejects.toThrow(/"gone" cannot be read/)
    contextOf('gone', { Endpoints: {} })
    await expect(routeIn().dial()).rejects.toThrow(/names no engine/)
    contextOf('gone', { Endpoints: { docker: { Host: 'npipe:////./pipe/docker_engine' } } })
    await expect(routeIn().dial()).rejects.toThrow(/the docker context "gone" cannot be .*WSL 2/)
  })

  test('is found despite a broken config.json, which is reported', async () => {
    await engineAt(orbstack())
    useContext('{')
    expect(await reached(routeIn())).toMatch(/first of the usual sockets that answers; .*config\.json is not used: /)
  })

  test('with the certificates of a context uses TLS', async () => {
    useContext('{"currentContext":"far"}')
    contextOf('far', { Endpoints: { docker: { Host: 'tcp://127.0.0.1:1', SkipTLSVerify: false } } })
    const folder = at('.docker', 'contexts', 'tls', createHash('sha256').update('far').digest('hex'), 'docker')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'ca.pem'), '')
    const route = routeIn()
    await reached(route)
    expect(route.choice?.address).toEqual({
      kind: 'tcp',
      host: '127.0.0.1',
      port: 1,
      tls: { folder, needed: ['ca.pem'], verify: true },
    })
  })

  test('needs the certificates that DOCKER_CERT_PATH promises', async () => {
    const env = { DOCKER_HOST: 'tcp://127.0.0.1:1', DOCKER_CERT_PATH: at('none') }
    await expect(routeIn(env).dial()).rejects.toThrow(
      /certificates for tcp:.* cannot be read.*ca\.pem, cert\.pem and key\.pem/,
    )
  })
})

describe('containers of an earlier server', () => {
  const socket = (path: string) => ({ kind: 'unix', path }) as const
  const left = (path: string, isNeeded = true): EngineMemory => ({
    last: () => placeOf(socket(path)),
    isNeeded: () => isNeeded,
    note: () => {},
  })
  const moved = () => {
    useContext('{"currentContext":"desktop"}')
    contextOf('desktop', toSocket(desktop()))
  }

  test('keep their engine if only the current docker context has changed; the new choice is mentioned', async () => {
    moved()
    await engineAt(desktop())
    await engineAt(orbstack())
    expect(await reached(routeIn({}, left(orbstack())))).toBe(
      `${orbstack()}: containers of this server are still on it; the next start without any takes ${desktop()} (the current docker context is desktop)`,
    )
    expect(await reached(routeIn({}, left(orbstack(), false)))).toBe(
      `${desktop()}: the current docker context is desktop`,
    )
  })

  test('keep it even while it is away: nothing replaces it', async () => {
    await engineAt(desktop())
    const route = routeIn({}, left(orbstack()))
    await route.dial().then(
      (stream) => stream.on('error', () => {}).destroy(),
      () => {},
    )
    expect(route.choice?.address).toEqual(socket(orbstack()))
  })

  test('are left alone if somebody names another engine, and the server says so', async () => {
    await engineAt(desktop())
    const named: Record<string, string>[] = [{ DOCKER_HOST: `unix://${desktop()}` }, { DOCKER_CONTEXT: 'desktop' }]
    for (const env of named) {
      moved()
      expect(await reached(routeIn(env, left(orbstack())))).toMatch(
        `containers of this server were opened at ${orbstack()}; if that is another engine, they stay there unattended: set DOCKER_HOST`,
      )
    }
  })

  test('change nothing if their engine is chosen anyway, or if the note about it cannot be read', async () => {
    await engineAt(desktop())
    const said = `${desktop()}: the first of the usual sockets that answers`
    expect(await reached(routeIn({}, left(desktop())))).toBe(said)
    const odd = { last: () => '{"kind":"pigeon"}', isNeeded: () => true, note: () => {} }
    expect(await reached(routeIn({}, odd))).toBe(said)
  })
})

describe('a look at sockets', () => {
  test('tells real engines from look-alikes, and two names of one engine from two engines', async () => {
    await engineAt(at('a.sock'))
    symlinkSync(at('a.sock'), at('b.sock'))
    await engineAt(at('page.sock'), {})
    writeFileSync(at('file.sock'), '')
    const names = ['none', 'a', 'b', 'page', 'file']
    const seen = await lookAt(
      names.map((name) => at(`${name}.sock`)),
      systemClock,
    )
    expect(seen).toEqual([
      { path: at('a.sock'), sameAs: null, answer: 'answers' },
      { path: at('b.sock'), sameAs: at('a.sock'), answer: 'answers' },
      { path: at('page.sock'), sameAs: null, answer: 'is no container engine' },
      { path: at('file.sock'), sameAs: null, answer: 'does not answer' },
    ])
  })
})
