import { closeCode, PROTOCOL, type ClientFrame, type ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import type { Clock } from '../../process/clock.ts'
import type { ApiClient } from '../api-client.ts'
import { CliError } from '../exit-code.ts'
import type { LiveBoard } from './live-board.ts'
import { NoServer, wrongToken } from '../../health/server-file.ts'

export type BoardListener = {
  /** The board, or the connection to the server, has changed. */
  changed: () => void
  /** The server's clock minus ours, in milliseconds. */
  skew: (ms: number) => void
  link: (link: 'live' | 'lost') => void
}

const PING_MS = 15_000
/** Two pings and some slack: a server that is silent for longer is gone. */
const SILENCE_MS = 35_000
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 3_000

/**
 * Keeps the board up to date until `stop` aborts, across any number of connections: a restarted server is found again,
 * on any port. Throws `NoServer` if there is no server at first, or none for `giveUpAfterMs` after it was lost.
 */
export async function followBoard(
  api: ApiClient,
  board: LiveBoard,
  listener: BoardListener,
  { clock, stop, giveUpAfterMs }: { clock: Clock; stop: AbortSignal; giveUpAfterMs: number },
): Promise<void> {
  let lostAt: number | null = null
  let pause = FIRST_PAUSE_MS
  let first = true
  while (!stop.aborted) {
    try {
      const heard = (): void => {
        lostAt = null
        pause = FIRST_PAUSE_MS
        first = false
      }
      await connectOnce(api, board, listener, clock, stop, heard)
    } catch (error) {
      if (!(error instanceof NoServer) || first) throw error
      lostAt ??= clock.monotonic()
      if (clock.monotonic() - lostAt > giveUpAfterMs) throw error
      listener.link('lost')
      await clock.sleep(pause, stop)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }
}

/** Resolves when `stop` aborts. */
async function connectOnce(
  api: ApiClient,
  board: LiveBoard,
  listener: BoardListener,
  clock: Clock,
  stop: AbortSignal,
  heard: () => void,
): Promise<void> {
  const connection = await api.connection()
  const url = new URL('/ws', connection.url)
  url.protocol = url.protocol.replace('http', 'ws')
  // Node's own client also takes headers, which the browser's type lacks.
  const options = { headers: { authorization: `Bearer ${connection.token}` } } as unknown as string[]
  const socket = new WebSocket(url, options)
  const over = new AbortController()
  let lastFrameAt = clock.monotonic()

  const send = (frame: ClientFrame): void => socket.send(JSON.stringify(frame))
  const tell = (wants: ReturnType<LiveBoard['begin']>): void => {
    for (const { type, ch, topic } of wants) send(type === 'sub' ? { type, ch, topic, next: 0 } : { type, ch })
  }
  const lost = (): NoServer => new NoServer(`the connection to the server at ${connection.url} was lost`)
  const watchSilence = async (fail: (error: unknown) => void): Promise<void> => {
    while (!over.signal.aborted) {
      await clock.sleep(PING_MS, over.signal)
      if (over.signal.aborted) return
      if (clock.monotonic() - lastFrameAt > SILENCE_MS) return fail(lost())
      if (socket.readyState === WebSocket.OPEN) send({ type: 'ping', t: clock.now() })
    }
  }

  try {
    await new Promise<void>((resolve, reject) => {
      stop.addEventListener('abort', () => resolve(), { signal: over.signal })
      if (stop.aborted) resolve()
      socket.addEventListener('open', () => {
        send({ type: 'hello', proto: PROTOCOL })
        tell(board.begin())
      })
      socket.addEventListener('message', ({ data }) => {
        try {
          lastFrameAt = clock.monotonic()
          const frame = JSON.parse(String(data)) as ServerFrame
          if (frame.type === 'welcome') {
            heard()
            listener.skew(frame.now - clock.now())
            listener.link('live')
          }
          if (!('ch' in frame)) return
          tell(board.apply(frame))
          listener.changed()
        } catch (error) {
          reject(error)
        }
      })
      socket.addEventListener('close', ({ code, reason }) => {
        if (code === closeCode.auth) reject(wrongToken(api.data, connection.url))
        else if (code === closeCode.protocol)
          reject(new CliError(`the server and this command have different versions (${reason}): restart the server`))
        else reject(lost())
      })
      socket.addEventListener('error', () => reject(lost()))
      void watchSilence(reject)
    })
  } finally {
    over.abort()
    socket.close()
  }
}
