import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { OutputReader } from '@beadloom/core/supervisor/output-record.ts'
import type { OrderAnswer, OrderKind, SupervisorState } from '@beadloom/core/supervisor/session-control.ts'
import { parseNote, type SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import { CarriedLink, type Carrier } from '../../../apps/server/src/link/carried-link.ts'
import { systemClock } from '../../../apps/server/src/process/clock.ts'

/** A server's record of a session's output, over links, supervisors and its own deaths. */
export class SessionRecord {
  readonly stdout: Buffer[] = []
  readonly gaps: [number, number][] = []
  end: SessionEnd | null = null
  readonly reader = new OutputReader(0)

  take(bytes: Uint8Array): void {
    for (const record of this.reader.take(bytes)) {
      if (record.kind === 'stdout') this.stdout.push(Buffer.from(record.bytes))
      const note = record.kind === 'note' ? parseNote(Buffer.from(record.bytes).toString()) : null
      if (note?.note === 'ended') this.end = note.end
    }
  }
}

/** A server's side of the link to a real supervisor. */
export class SupervisedServer {
  readonly #magic: Buffer
  readonly #serve: ((connection: Duplex) => void) | null
  #link: CarriedLink | null = null
  #taken: (() => void)[] = []
  #listener: Server | null = null

  /** @param serve gets the connections of clients in the container; absent: there must be none */
  constructor(magic: Buffer, serve: ((connection: Duplex) => void) | null = null) {
    this.#magic = magic
    this.#serve = serve
  }

  /** Listens where a supervisor dials. */
  async listen(path: string): Promise<void> {
    this.#listener = createServer((socket) => this.carry({ input: socket, output: socket }))
    this.#listener.listen(path)
    await once(this.#listener, 'listening')
  }

  carry(carrier: Carrier): void {
    const link = new CarriedLink(carrier, {
      magic: this.#magic,
      before: null,
      clock: systemClock,
      handlers: {
        taken: () => {
          this.#link = link
          for (const tell of this.#taken.splice(0)) tell()
        },
        stream: ({ stream }) => {
          if (!this.#serve) throw new Error('nothing is served here')
          this.#serve(stream)
        },
        ended: () => {
          if (this.#link === link) this.#link = null
        },
      },
    })
  }

  async link(): Promise<CarriedLink> {
    while (!this.#link) await new Promise<void>((resolve) => this.#taken.push(resolve))
    return this.#link
  }

  /** Lets go like a dying server; another may take the link. */
  close(): void {
    this.#listener?.close()
    this.#link?.close()
    this.#link = null
  }

  async order(kind: OrderKind, header: { session: string; graceMs?: number }, body?: object): Promise<OrderAnswer> {
    const stream = (await this.link()).open(kind, header)
    if (!stream) throw new Error('the link is not taken')
    stream.end(body === undefined ? '' : JSON.stringify(body))
    return JSON.parse((await buffer(stream)).toString()) as OrderAnswer
  }

  async start(session: string, line: string, more: Record<string, string> = {}): Promise<OrderAnswer> {
    const env = { PATH: process.env['PATH'] ?? '', ...more }
    return this.order('session-start', { session }, { argv: ['sh', '-c', line], env, cwd: '/' })
  }

  /** The first line of `sessions`. */
  async state(): Promise<SupervisorState> {
    const stream = (await this.link()).open('sessions', {})
    let text = ''
    for await (const part of stream ?? []) {
      text += String(part)
      if (text.includes('\n')) break
    }
    return JSON.parse(text.split('\n')[0]!) as SupervisorState
  }

  /** Continues the record, until the session or this link ends, or until `enough`. */
  async record(session: string, record: SessionRecord, enough: () => boolean = () => false): Promise<void> {
    const link = await this.link()
    record.reader.skipTo(record.reader.complete) // half a record of the last link is not stored
    await new Promise<void>((resolve) => {
      const follower = link.follow(session, record.reader.complete, {
        write: (piece) => {
          if (piece.type === 'gap') {
            record.gaps.push([piece.from, piece.to])
            return record.reader.skipTo(piece.to)
          }
          record.take(piece.bytes)
          follower?.acknowledge(record.reader.complete)
          if (!enough()) return
          follower?.stop()
          resolve()
        },
        closed: () => resolve(),
      })
      if (!follower) resolve()
    })
  }
}
