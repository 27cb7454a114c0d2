import { once } from 'node:events'
import {
  decodeLogChunk,
  PROTOCOL,
  type BoardOp,
  type ClientFrame,
  type ServerFrame,
} from '@beadloom/core/api/stream/protocol.ts'
import { vi } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'

/** A client that keeps what it receives: frames in order, log text by channel, and things by name. */
export class StreamClient {
  readonly frames: ServerFrame[] = []
  readonly socket: WebSocket
  /** The next line of a log channel, counted from what came. A gap or a repetition is noted in `wrong`. */
  next = 0
  text = ''
  wrong: string[] = []
  chunks: { ch: number; firstLine: number; count: number; bytes: number }[] = []
  closed: { code: number; reason: string } | null = null

  constructor(port: number, options: ClientOptions = {}, path = '/ws') {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
    this.socket.on('message', (data, isBinary) => this.#hear(data as Buffer, isBinary))
    this.socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }))
    this.socket.on('error', () => undefined)
  }

  async greeted(): Promise<this> {
    await once(this.socket, 'open')
    this.send({ type: 'hello', proto: PROTOCOL })
    await this.until(() => this.of('welcome').length === 1)
    return this
  }

  send(frame: ClientFrame): void {
    this.socket.send(JSON.stringify(frame))
  }

  sub(ch: number, topic: string, next = 0, epoch?: string): void {
    this.next = next
    this.send({ type: 'sub', ch, topic, next, ...(epoch !== undefined && { epoch }) })
  }

  of<Type extends ServerFrame['type']>(type: Type): Extract<ServerFrame, { type: Type }>[] {
    return this.frames.filter((frame): frame is Extract<ServerFrame, { type: Type }> => frame.type === type)
  }

  async until(condition: () => boolean): Promise<void> {
    await vi.waitFor(() => condition() || Promise.reject(new Error('not yet')), { timeout: 20_000, interval: 2 })
  }

  /** Resolves after a ping is answered: everything that the server had sent before it is here. */
  async caughtUp(): Promise<void> {
    const t = this.of('pong').length + 1
    this.send({ type: 'ping', t })
    await this.until(() => this.of('pong').length === t)
  }

  #hear(data: Buffer, isBinary: boolean): void {
    if (!isBinary) return void this.frames.push(JSON.parse(data.toString()) as ServerFrame)
    const { ch, firstLine, count, text } = decodeLogChunk(data)
    if (firstLine !== this.next) this.wrong.push(`line ${firstLine} came instead of ${this.next}`)
    this.next = firstLine + count
    this.text += Buffer.from(text).toString()
    this.chunks.push({ ch, firstLine, count, bytes: text.byteLength })
  }
}

/** A board channel's state, folded from its frames by the rules of the protocol. */
export class BoardFold {
  epoch: string | undefined
  seq = 0
  readonly things = new Map<string, unknown>()

  apply(frame: ServerFrame): void {
    if (frame.type === 'snapshot') {
      this.things.clear()
      this.epoch = frame.epoch
    }
    if (frame.type !== 'snapshot' && frame.type !== 'delta') return
    if (frame.type === 'delta' && frame.seq <= this.seq) throw new Error(`delta ${frame.seq} after ${this.seq}`)
    this.seq = frame.seq
    for (const op of frame.ops) this.#apply(op)
  }

  #apply(op: BoardOp): void {
    if (op.op === 'remove') this.things.delete(`${op.kind} ${op.id}`)
    else this.things.set(op.kind === 'status' ? op.kind : `${op.kind} ${op.value.id}`, op.value)
  }
}
