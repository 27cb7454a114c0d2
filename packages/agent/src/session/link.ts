import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { LINK_PORT, LINK_SOCKET } from '@beadloom/core/execution/session-order.ts'
import type { Clock } from '../process/clock.ts'

export type LinkPlace = {
  socketPath: string
  /** 0 takes any free port. */
  port: number
  /** A restarted server puts a new socket in the old place; a connection waits this long for it. */
  giveUpAfterMs: number
}

export const linkPlace: LinkPlace = { socketPath: LINK_SOCKET, port: LINK_PORT, giveUpAfterMs: 75_000 }

const RETRY_MS = 200

export type Link = {
  /** `http://127.0.0.1:4610` */
  url: string
  close(): Promise<void>
}

/**
 * Forwards `127.0.0.1:port` to the link's Unix socket, connection by connection. Bytes flow as fast as the slower side
 * reads, each direction ends on its own, and when one side breaks off, the other is closed too. Rejects when the port
 * is taken.
 */
export async function openLink(place: LinkPlace, clock: Clock): Promise<Link> {
  const clients = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    clients.add(client)
    client.once('close', () => clients.delete(client))
    void forward(client, place, clock)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(place.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const client of clients) client.destroy()
      }),
  }
}

async function forward(client: Socket, place: LinkPlace, clock: Clock): Promise<void> {
  const gone = new AbortController()
  client.on('error', () => {}) // 'close' follows and is what counts
  client.once('close', () => gone.abort())
  const link = await reach(place, clock, gone.signal)
  if (!link) return void client.resetAndDestroy() // a reset, so that it is not mistaken for a complete answer
  link.on('error', () => {})
  closeTogether(client, link)
  closeTogether(link, client)
  client.pipe(link)
  link.pipe(client)
}

/** A connection that ended properly needs nothing; one that broke off must not leave the other waiting. */
function closeTogether(socket: Socket, other: Socket): void {
  if (socket.destroyed) other.destroy()
  socket.once('close', (hadError) => {
    if (hadError || !socket.readableEnded) other.destroy()
    else if (!other.writableEnded) other.end()
  })
}

async function reach(place: LinkPlace, clock: Clock, gone: AbortSignal): Promise<Socket | null> {
  const startedAt = clock.monotonic()
  while (!gone.aborted) {
    const link = await connectOnce(place.socketPath)
    if (link && gone.aborted) link.destroy()
    if (link) return link
    if (clock.monotonic() - startedAt >= place.giveUpAfterMs) return null
    await clock.sleep(RETRY_MS, gone)
  }
  return null
}

/** Null whatever is wrong (no socket yet, nobody listening, a full queue): a new server may fix it. */
function connectOnce(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true })
    const refused = () => resolve(null)
    socket.once('error', refused)
    socket.once('connect', () => {
      socket.off('error', refused)
      resolve(socket)
    })
  })
}
