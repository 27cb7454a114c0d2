import {
  closeCode,
  decodeLogChunk,
  PROTOCOL,
  type ClientFrame,
  type ServerFrame,
} from '@beadloom/core/api/stream/protocol.ts'
import { CliError } from '../exit-code.ts'
import { NoServer, wrongToken, type Connection } from '../../health/server-file.ts'

export type LogReading = {
  /** The next wanted line. */
  next: () => number
  /** Takes whole lines; false if the reader has enough for now. */
  take: (text: string, count: number) => boolean
  drained: () => Promise<void>
  note: (text: string) => void
}

/**
 * Reads one session's log over the WebSocket, to its end. Throws `NoServer` if the connection is lost: call it again,
 * and it continues at `next()`. A reader that is slower than the server leaves the channel until it has caught up, so
 * that nothing piles up here.
 */
export function readLog(connection: Connection, data: string, session: string, reading: LogReading): Promise<void> {
  const url = new URL('/ws', connection.url)
  url.protocol = url.protocol.replace('http', 'ws')
  // Node's own client also takes headers, which the browser's type lacks.
  const options = { headers: { authorization: `Bearer ${connection.token}` } } as unknown as string[]
  const socket = new WebSocket(url, options)
  socket.binaryType = 'arraybuffer'
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  // A new number for each subscription, so that frames still on their way for an old one can be dropped.
  let channel = 0

  const send = (frame: ClientFrame): void => socket.send(JSON.stringify(frame))
  const subscribe = (): void => send({ type: 'sub', ch: ++channel, topic: `log:${session}`, next: reading.next() })
  const pause = async (): Promise<void> => {
    send({ type: 'unsub', ch: channel++ })
    await reading.drained()
    if (socket.readyState === WebSocket.OPEN) subscribe()
  }

  return new Promise((resolve, reject) => {
    const finish = (error?: unknown): void => {
      if (error === undefined) resolve()
      else reject(error)
      socket.close()
    }
    socket.addEventListener('open', () => {
      send({ type: 'hello', proto: PROTOCOL })
      subscribe()
    })
    socket.addEventListener('message', ({ data: message }) => {
      try {
        if (message instanceof ArrayBuffer) {
          const { ch, firstLine, count, text } = decodeLogChunk(new Uint8Array(message))
          if (ch !== channel) return
          if (firstLine !== reading.next()) throw new Error(`line ${firstLine} came instead of ${reading.next()}`)
          if (!reading.take(decoder.decode(text), count)) pause().catch(finish)
          return
        }
        const frame = JSON.parse(String(message)) as ServerFrame
        if (!('ch' in frame) || frame.ch !== channel) return
        if (frame.type === 'expired') reading.note(`(${frame.reason})`)
        if (frame.type === 'expired' || frame.type === 'end') finish()
      } catch (error) {
        finish(error)
      }
    })
    socket.addEventListener('close', ({ code, reason }) => {
      if (code === closeCode.auth) finish(wrongToken(data, connection.url))
      else if (code === closeCode.protocol)
        finish(new CliError(`the server and this command have different versions (${reason}): restart the server`))
      else finish(new NoServer(`the connection to the server at ${connection.url} was lost`))
    })
    socket.addEventListener('error', () => finish(new NoServer(`no connection to the server at ${connection.url}`)))
  })
}
