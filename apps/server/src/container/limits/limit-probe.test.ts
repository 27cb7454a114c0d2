import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { afterEach, describe, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { DockerClient } from '../docker-client.ts'
import { fakeDaemon, type FakeDaemon } from '../testing/fake-daemon.ts'
import { limitProbe, type Probed } from './limit-probe.ts'

type Body = { HostConfig?: Record<string, unknown>; Labels?: Record<string, string> }
type Made = Body & { name: string; started: boolean }

const EMPTY = { cgroup: '', mountinfo: '', meminfo: '', limits: '', files: {} }

/** A daemon that has containers, as far as the look at limits needs them. */
type Engine = {
  containers: Made[]
  /** The report that a container leaves; null: none. */
  report: string | null
  /** The settings that the daemon shows for a request. */
  shows: (asked: Record<string, unknown>) => object
  /** Whether a container ends by itself. */
  ends: boolean
  onWait: () => void
}

const engine = (changes: Partial<Engine>): Engine => ({
  containers: [],
  report: JSON.stringify(EMPTY),
  shows: (asked) => asked,
  ends: true,
  onWait: () => {},
  ...changes,
})

const answersOf =
  (it: Engine): RequestListener =>
  async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
    const [, , name = '', verb = ''] = pathname.split('/')
    const known = it.containers.find((one) => one.name === name)
    const say = (status: number, answer: object = {}) => void response.writeHead(status).end(JSON.stringify(answer))
    if (name === 'create') {
      const taken = it.containers.some((one) => one.name === searchParams.get('name'))
      if (taken) return say(409, { message: 'The container name "/x" is already in use' })
      it.containers.push({ ...(await bodyOf(request)), name: searchParams.get('name') ?? '', started: false })
      return say(201, { Id: searchParams.get('name') })
    }
    if (name === 'json') return say(200, labelled(it, searchParams.get('filters') ?? '{}'))
    if (!known) return say(404, { message: 'no such container' })
    if (request.method === 'DELETE') {
      it.containers.splice(it.containers.indexOf(known), 1)
      return say(204)
    }
    if (verb === 'start') return say(204, { started: (known.started = true) })
    if (verb === 'wait') {
      it.onWait()
      return it.ends ? say(200, { StatusCode: 0 }) : undefined
    }
    if (verb === 'archive') {
      if (it.report === null) return say(404, { message: 'no such file' })
      const tar = pack()
      tar.entry({ name: '.limits.json' }, it.report)
      tar.finalize()
      for await (const part of tar) response.write(part)
      return void response.end()
    }
    say(200, {
      Id: name,
      Config: { Labels: known.Labels },
      HostConfig: it.shows(known.HostConfig ?? {}),
      State: { Status: known.started ? 'exited' : 'created', StartedAt: '0001-01-01T00:00:00Z', FinishedAt: '' },
    })
  }

function labelled({ containers }: Engine, filters: string): object[] {
  const { label = [] } = JSON.parse(filters) as { label?: string[] }
  const hasAll = (labels: Record<string, string>) =>
    label.every((one) => one === `${one.split('=')[0]}=${labels[one.split('=')[0] ?? '']}`)
  return containers.filter(({ Labels = {} }) => hasAll(Labels)).map(({ name }) => ({ Id: name }))
}

const bodyOf = async (request: IncomingMessage): Promise<Body> => JSON.parse((await text(request)) || '{}') as Body

let daemon: FakeDaemon
afterEach(() => daemon.close())

const runtime = { name: 'runc', kernel: '6.1.0', hasUserNamespace: false }
const facts = { isPodman: false, logDriver: 'local', runtime } as const

async function look(it: Engine, clock = new HandClock(1_000)): Promise<Probed> {
  daemon = await fakeDaemon((request, response) => void answersOf(it)(request, response))
  const client = new DockerClient({ dockerHost: daemon.dockerHost, clock })
  return limitProbe(client, 'in-x', async () => null).look(facts, 'sha256:abc')
}

const NAME = 'beadloom-limits-in-x-abc'

describe('a container that looks at its limits', () => {
  test('is removed once it has reported', async () => {
    const it = engine({ report: JSON.stringify({ ...EMPTY, limits: 'Max open files  1  8192  files\n' }) })
    expect(await look(it)).toMatchObject({ acting: { memory: null, openFiles: 8192, fileSize: null }, unshown: [] })
    expect(it.containers).toEqual([])
  })

  test('says which of its limits the engine does not show', async () => {
    const { unshown } = await look(engine({ shows: (asked) => ({ ...asked, Memory: 0, MemorySwap: -1, Ulimits: [] }) }))
    expect(unshown.toSorted()).toEqual(['coreSize', 'fileSize', 'memory', 'openFiles', 'swap'])
  })

  test.each([
    ['1', true],
    ['0', false],
    ['', false],
    [undefined, false],
  ])('says whether the loopback lacks IPv6 that the kernel has: %s', async (loopbackIpv6, lacksIpv6) => {
    expect(await look(engine({ report: JSON.stringify({ ...EMPTY, loopbackIpv6 }) }))).toMatchObject({ lacksIpv6 })
  })

  test('says whose kernel it has, next to the one that the engine names as its own', async () => {
    const of = async (release: string) => {
      const kernel = { release, uidMap: '0 100000 65536', kernelLog: '' }
      const { runtime } = await look(engine({ report: JSON.stringify({ ...EMPTY, kernel }) }))
      return runtime
    }
    expect(await of('6.1.0')).toEqual({ kernel: '6.1.0', isOwnKernel: false, isGvisor: false, root: 100_000 })
    await daemon.close()
    expect(await of('6.12.28')).toMatchObject({ isOwnKernel: true, root: null })
  })

  test("that a killed server has left is removed, even one of an older image; other people's stay", async () => {
    const left = { name: NAME, started: true }
    const ours = { Labels: { 'beadloom.probe': 'in-x' } }
    const older = { ...left, ...ours, name: 'beadloom-limits-in-x-older' }
    const others = { ...left, name: 'beadloom-limits-in-y-abc', Labels: { 'beadloom.probe': 'in-y' } }
    const it = engine({ containers: [{ ...left, ...ours }, older, others] })
    await look(it)
    expect(it.containers).toEqual([others])
    await daemon.close()
    const foreign = engine({ containers: [{ ...left, started: false, Labels: {} }] })
    await expect(look(foreign)).rejects.toMatchObject({ kind: 'name-taken' })
    expect(foreign.containers).toHaveLength(1)
  })

  test.each([
    ['nothing', null],
    ['no JSON', 'limits? none'],
    ['something else', '{"cgroup": 1}'],
    ['more than it has to say', JSON.stringify({ ...EMPTY, cgroup: 'x'.repeat(70_000) })],
  ])('is also removed when it says %s', async (_, report) => {
    const it = engine({ report })
    await expect(look(it)).rejects.toMatchObject({ name: 'EngineError' })
    expect(it.containers).toEqual([])
  })

  test('that does not end says nothing of the engine, which is not called silent', async () => {
    const clock = new HandClock(1_000)
    const it = engine({ ends: false, onWait: () => clock.advance(15_000) })
    await expect(look(it, clock)).rejects.toMatchObject({ kind: 'failed' })
    expect(it.containers).toEqual([])
  })
})
