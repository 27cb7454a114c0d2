import { once } from 'node:events'
import { decodeLogChunk, PROTOCOL, type ClientFrame, type ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import { WebSocket } from 'ws'
import { wallClock } from './wall-clock.ts'

export type LogPiece = { at: number; text: Uint8Array }

/** A client that follows one log over the real WebSocket, hands it to `hear` and keeps nothing. */
export class LogClient {
  #socket: WebSocket
  #hear: (piece: LogPiece) => void
  #open = Promise.withResolvers<void>()
  #ended = Promise.withResolvers<void>()

  private constructor(socket: WebSocket, hear: (piece: LogPiece) => void) {
    this.#socket = socket
    this.#hear = hear
    for (const { promise } of [this.#open, this.#ended]) promise.catch(() => {})
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the WebSocket')))
  }

  static async open(url: string, token: string, session: string, hear: (piece: LogPiece) => void): Promise<LogClient> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
    const client = new LogClient(socket, hear)
    await once(socket, 'open')
    client.#send({ type: 'hello', proto: PROTOCOL })
    await client.#open.promise
    client.#send({ type: 'sub', ch: 1, topic: `log:${session}`, next: 0 })
    return client
  }

  /** Resolves when the log is complete and all of it has arrived. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  close(): void {
    this.#socket.close()
  }

  #send(frame: ClientFrame): void {
    this.#socket.send(JSON.stringify(frame))
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#hear({ at: wallClock(), text: decodeLogChunk(data).text })
    const frame = JSON.parse(data.toString()) as ServerFrame
    if (frame.type === 'welcome') this.#open.resolve()
    if (frame.type === 'end') this.#ended.resolve()
    if (frame.type === 'expired') this.#fail(new Error(frame.reason))
    if (frame.type === 'error') this.#fail(new Error(frame.message))
  }

  #fail(error: Error): void {
    this.#open.reject(error)
    this.#ended.reject(error)
  }
}
