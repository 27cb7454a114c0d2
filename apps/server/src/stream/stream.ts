import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { closeCode } from '@beadloom/core/api/stream/protocol.ts'
import { WebSocketServer, type WebSocket } from 'ws'
import { Bells } from './bell.ts'
import { Connection, type ConnectionDeps } from './connection.ts'
import { Deltas } from './deltas.ts'
import { defaultBounds, type Admission, type Admit, type StreamBounds } from './ports.ts'
import { CHANGES } from './topic.ts'
import { STATUS_CODES } from '../process/node-http.ts'

type Admitted = Extract<Admission, { kind: 'admitted' }>

export type StreamDeps = Pick<ConnectionDeps, 'clock' | 'logs' | 'feed' | 'views' | 'build' | 'report'> & {
  admit: Admit
  bounds?: Partial<StreamBounds>
}

export type Stream = {
  /** For the HTTP server's event `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Counts for `/metrics`. */
  counts(): { sockets: number; channels: number; bufferedBytes: number }
  /** Tells every client to come back soon (1012) and gives it `graceMs` to read the rest. */
  close(graceMs?: number): Promise<void>
}

/** The pause between searches for dead and stalled clients; a reader that missed a ring waits no longer than this. */
const SWEEP_MS = 5_000

const socketOptions = {
  noServer: true,
  clientTracking: false,
  allowSynchronousEvents: false, // one frame a turn, so others are served in between: a piece of 64 KiB has thousands
  perMessageDeflate: false, // history is compressed over HTTP; here it would cost memory for each client
  maxPayload: 64 * 1024,
  maxFragments: 16,
  maxBufferedChunks: 1024,
  closeTimeout: 5_000,
}

export function createStream(deps: StreamDeps): Stream {
  const { clock, logs, feed, admit } = deps
  const bounds = { ...defaultBounds, ...deps.bounds }
  const bells = new Bells<string>()
  const inside = { ...deps, bounds, bells, deltas: new Deltas(feed) }
  const connections = new Map<Connection, Admitted & { until: number }>()
  const stopping = new AbortController()
  const server = new WebSocketServer(socketOptions)
  const deaf = [logs.onGrow((session) => bells.ring(session)), feed.onChange(() => bells.ring(CHANGES))]
  const sweeping = sweep()

  async function sweep(): Promise<void> {
    for (;;) {
      await clock.sleep(SWEEP_MS, stopping.signal)
      if (stopping.signal.aborted) return
      for (const [connection, { lasts, until }] of connections) {
        if (lasts?.() === false) connection.close(closeCode.auth, 'signed out')
        else if (clock.monotonic() >= until) connection.close(closeCode.restart, 'say again who you are')
        connection.sweep()
      }
      bells.ringAll()
    }
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const admission = admit(request)
    if (admission.kind === 'refused') return refuse(socket, admission.status, admission.message)
    if (request.url?.split('?', 1)[0] !== '/ws') return refuse(socket, 404, 'The WebSocket is at /ws.')
    if (stopping.signal.aborted) return refuse(socket, 503, 'The server is going down.')
    server.handleUpgrade(request, socket, head, (client) => {
      // A page cannot see why a handshake was refused, so these two are told after it.
      if (admission.kind === 'unknown') return sendAway(client, closeCode.auth, 'sign in')
      const siblings = [...connections.values()].filter(({ who }) => who === admission.who).length
      if (siblings >= bounds.socketsPerCredential) return sendAway(client, closeCode.slow, 'too many connections')
      welcome(client, admission)
    })
  }

  function welcome(client: WebSocket, admitted: Admitted): void {
    const connection = new Connection(client, { ...inside, standing: admitted.standing })
    connections.set(connection, { ...admitted, until: clock.monotonic() + (admitted.forMs ?? Infinity) })
    client.on('close', () => connections.delete(connection))
  }

  async function close(graceMs = 1_000): Promise<void> {
    stopping.abort()
    for (const stop of deaf) stop()
    await sweeping
    const gone = new AbortController()
    const left = () => connections.size === 0 && gone.abort()
    for (const connection of connections.keys()) {
      connection.onClose(left)
      connection.close(closeCode.restart, 'the server restarts')
    }
    left()
    await clock.sleep(graceMs, gone.signal)
    for (const connection of connections.keys()) connection.terminate()
    server.close()
  }

  return {
    upgrade,
    close,
    counts: () => ({
      sockets: connections.size,
      channels: sum(connections.keys(), ({ channels }) => channels),
      bufferedBytes: sum(connections.keys(), ({ outlet }) => outlet.bufferedBytes),
    }),
  }
}

function refuse(socket: Duplex, status: number, message: string): void {
  const body = `${message}\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  // The client may never close its side.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Closes with a code. Nothing from the client is read any more; `ws` cuts it off when it does not close in time. */
function sendAway(client: WebSocket, code: number, reason: string): void {
  client.on('error', () => client.terminate())
  client.close(code, reason)
}

function sum<T>(all: Iterable<T>, of: (one: T) => number): number {
  let total = 0
  for (const one of all) total += of(one)
  return total
}
