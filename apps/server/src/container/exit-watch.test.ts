import { afterEach, expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { DockerClient } from './docker-client.ts'
import { watchExit } from './exit-watch.ts'
import { fakeDaemon, type FakeDaemon } from './testing/fake-daemon.ts'
import { never } from './testing/docker-world.ts'

const MINUTE_MS = 60_000

let daemon: FakeDaemon
afterEach(() => daemon.close())

/** How a program ended that exits with 3, under an engine that does not answer for `awayMs`. */
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
  const { lost, code } = await watchExit(client, 'x', never, () => false)
  return { lost, code, afterMs: clock.monotonic() - from }
}

test('an engine that is away for ten minutes tells how a program ended meanwhile', async () => {
  expect(await endUnder(10 * MINUTE_MS)).toMatchObject({ lost: false, code: 3 })
})

test('a container of an engine that is away for an hour is lost after a quarter: nobody waits for it', async () => {
  expect(await endUnder(60 * MINUTE_MS)).toEqual({ lost: true, code: -1, afterMs: 15 * MINUTE_MS })
})
