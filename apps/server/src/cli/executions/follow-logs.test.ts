import { expect, test } from 'vitest'
import { parseSessionId } from '@beadloom/core/records/ids.ts'
import { NoServer } from '../../health/server-file.ts'
import { startStream } from '../../stream/testing/start-stream.ts'
import type { ApiClient } from '../api-client.ts'
import { followExecution } from './follow-logs.ts'

const SESSION = parseSessionId('ex-0000000001.1')
const SILENCE_MS = 90_000

/** Follows a session that is silent for a while; then the server goes away, and answers again after `tries` tries. */
async function followedPastSilence(tries: number) {
  const { board, logs, port, stream } = await startStream()
  board.sessions.set(SESSION, 'live')
  logs.append(SESSION, 'one\n')
  let now = 0
  let isAway = false
  let left = tries
  const running = { id: 'ex-0000000001', state: 'RUNNING', sessions: [{ id: SESSION }] }
  const api = {
    data: '/data',
    connection: async () => ({ url: `http://127.0.0.1:${port}`, token: 't' }),
    async get(path: string) {
      if (isAway && left-- > 0) throw new NoServer('it is away')
      if (path.includes('/events?')) return { items: [], next: '0', ended: true }
      return isAway ? { ...running, state: 'COMPLETED', sessions: [] } : running
    },
  } as unknown as ApiClient
  const sink = {
    begin: () => {},
    lines() {
      now += SILENCE_MS
      isAway = true
      void stream.close(0)
      return true
    },
    end: () => {},
    drained: async () => {},
    note: () => {},
  }
  const clock = { now: () => now, monotonic: () => now, sleep: async (ms: number) => void (now += ms) }
  const followed = followExecution(api, 'ex-0000000001', sink, clock, 60_000)
  return { followed, waited: () => now - SILENCE_MS }
}

test('a server that goes away after a long silence of the log is waited for as any other', async () => {
  const { followed } = await followedPastSilence(3)
  await expect(followed).resolves.toMatchObject({ state: 'COMPLETED' })
})

test('a server that stays away is given up, the whole time after it was lost', async () => {
  const { followed, waited } = await followedPastSilence(Infinity)
  await expect(followed).rejects.toBeInstanceOf(NoServer)
  expect(waited()).toBeGreaterThan(60_000)
})
