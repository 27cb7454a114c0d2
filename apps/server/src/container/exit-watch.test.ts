import { afterEach, expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { DockerClient } from './docker-client.ts'
import { watchExit } from './exit-watch.ts'
import { fakeDaemon, type FakeDaemon } from './testing/fake-daemon.ts'
import { never } from './testing/docker-world.ts'

const MINUTE_MS = 60_000

const docker = { killedByUs: () => false, isPodman: async () => false }
const podman = { ...docker, isPodman: async () => true }

let daemon: FakeDaemon
afterEach(() => daemon.close())

/** The end of a program that exits with 3, under an engine that does not answer for `awayMs`. */
async function endUnder(awayMs: number): Promise<{ lost: boolean; code: number; afterMs: number }> {
  const clock = new HandClock(5_000)
  const from = clock.monotonic()
  const State = { Status: 'exited', ExitCode: 3, StartedAt: '2026-01-15T12:00:00Z', FinishedAt: '2026-01-15T12:00:01Z' }
  daemon = await fakeDaemon((request, response) => {
    if (clock.monotonic() - from < awayMs) return void request.socket.destroy()
    const isInspect = request.url?.startsWith('/containers/x/json')
    response.writeHead(200).end(isInspect ? JSON.stringify({ Id: 'x', State }) : '')
  })
  const client = new DockerClient({ dockerHost: daemon.dockerHost, clock })
  const { lost, code } = await watchExit(client, 'x', never, docker)
  return { lost, code, afterMs: clock.monotonic() - from }
}

test('an engine that is away for ten minutes reports how a program ended meanwhile', async () => {
  expect(await endUnder(10 * MINUTE_MS)).toMatchObject({ lost: false, code: 3 })
})

test('a container of an engine that is away for an hour is lost after a quarter: nobody waits for it', async () => {
  expect(await endUnder(60 * MINUTE_MS)).toEqual({ lost: true, code: -1, afterMs: 15 * MINUTE_MS })
})

/** Whether somebody else has ended it, by an engine that answers questions about events with `events`. */
async function endBy(engine: typeof docker, events: (query: URLSearchParams, asked: number) => string) {
  const State = {
    Status: 'exited',
    ExitCode: 137,
    StartedAt: '2026-01-15T12:00:00Z',
    FinishedAt: '2026-01-15T12:00:01Z',
  }
  let asked = 0
  daemon = await fakeDaemon((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://engine')
    if (pathname === '/events') return void response.writeHead(200).end(events(searchParams, ++asked))
    response.writeHead(200).end(JSON.stringify({ Id: 'x', State }))
  })
  const client = new DockerClient({ dockerHost: daemon.dockerHost, clock: new HandClock(5_000) })
  return watchExit(client, 'x', never, engine)
}
const KILL = JSON.stringify({ Type: 'container', Action: 'kill' })

test('Podman, which says nothing if asked until a past time, is asked for all that it has', async () => {
  const exit = await endBy(podman, (query) => (query.has('until') || query.get('stream') !== 'false' ? '' : KILL))
  expect(exit).toMatchObject({ code: 137, killed: true, outside: true, lost: false })
})

test('Docker, which would wait for more, is asked until the end', async () => {
  const exit = await endBy(docker, (query) => (query.get('until') === '1768478401.500' ? KILL : ''))
  expect(exit).toMatchObject({ killed: true, outside: true })
})

test.each([
  ['Docker', docker],
  ['Podman', podman],
])('a kill that %s writes down late was seen all the same', async (_, engine) => {
  expect(await endBy(engine, (_query, asked) => (asked > 1 ? KILL : ''))).toMatchObject({ killed: true, outside: true })
})

test('a signal that nobody asked the engine for came from inside', async () => {
  const exit = await endBy(docker, () => '')
  expect(exit).toMatchObject({ code: 137, killed: true, lost: false })
  expect(exit.outside).toBeUndefined()
})
