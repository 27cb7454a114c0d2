import { expect, test } from 'vitest'
import { NoServer } from '../../health/server-file.ts'
import { startStream } from '../../stream/testing/start-stream.ts'
import type { ApiClient } from '../api-client.ts'
import { followBoard } from './board-socket.ts'
import { LiveBoard } from './live-board.ts'

test('a server that goes away long after it was connected to is waited for, and given up a while later', async () => {
  const { port, stream } = await startStream()
  let now = 0
  let tries = 0
  const api = {
    data: '/data',
    async connection() {
      if (tries++ > 0) throw new NoServer('it is away')
      return { url: `http://127.0.0.1:${port}`, token: 't' }
    },
  } as unknown as ApiClient
  const clock = {
    now: () => now,
    monotonic: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      // The heartbeat's waits end with its connection.
      if (ms >= 15_000) return new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
      now += ms
    },
  }
  const listener = {
    changed: () => {},
    skew: () => {},
    link(is: 'live' | 'lost') {
      if (is !== 'live') return
      now += 600_000
      void stream.close(0)
    },
  }
  const stop = new AbortController().signal
  const followed = followBoard(api, new LiveBoard(null), listener, { clock, stop, giveUpAfterMs: 60_000 })
  await expect(followed).rejects.toBeInstanceOf(NoServer)
  expect(tries).toBeGreaterThan(10)
  expect(now - 600_000).toBeGreaterThan(60_000)
})
