import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientOptions } from 'ws'
import { onTestFinished } from 'vitest'
import type { Standing } from '@beadloom/core/access/standing.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { MemoryLogs } from '../../ports/testing/memory-logs.ts'
import type { Admit, StreamBounds } from '../ports.ts'
import { createStream } from '../stream.ts'
import { MemoryBoard } from './memory-board.ts'
import { StreamClient } from './stream-client.ts'

/** Batching waits pass by themselves; longer waits end when the test says so. */
const THROUGH_MS = 20

/** Somebody who may see everything. */
export const admin: Standing = { role: 'admin', own: new Map() }

/** A stream on a free loopback port over a world in memory. */
export async function startStream({ bounds = {}, admit }: { bounds?: Partial<StreamBounds>; admit?: Admit } = {}) {
  const board = new MemoryBoard()
  const logs = new MemoryLogs()
  const clock = new HandClock(THROUGH_MS)
  const reported: unknown[] = []
  const stream = createStream({
    clock,
    logs,
    feed: board,
    views: board,
    build: 'build-1',
    admit: admit ?? (() => ({ kind: 'admitted', who: 'token', standing: admin })),
    bounds,
    report: (error) => reported.push(error),
  })
  const server = createServer().on('upgrade', stream.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: StreamClient[] = []
  onTestFinished(async () => {
    for (const { socket } of clients) socket.terminate()
    await stream.close(0)
    server.close()
  })

  const open = (options?: ClientOptions, path?: string) => {
    const client = new StreamClient(port, options, path)
    clients.push(client)
    return client
  }
  return { board, logs, clock, reported, stream, port, open, connect: () => open().greeted() }
}
