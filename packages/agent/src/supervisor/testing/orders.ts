import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { OutputReader, type OutputRecord } from '@beadloom/core/supervisor/output-record.ts'
import type {
  OrderAnswer,
  OrderKind,
  SessionStart,
  SupervisorState,
} from '@beadloom/core/supervisor/session-control.ts'
import { parseNote, type SessionEnd, type SessionNote } from '@beadloom/core/supervisor/session-note.ts'

export type Output = {
  stdout: Buffer
  stderr: Buffer
  /** The kinds of the records in order, without repetition. */
  order: string[]
  notes: SessionNote[]
  end: SessionEnd | null
  /** Start and end offsets of each gap. */
  gaps: [number, number][]
}

/** Orders for a supervisor as `sandbox-main.ts` takes them, and its spools as a server would read them. */
export class Orders {
  readonly #socketPath: string

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  /** Resolves with the state once a supervisor answers that is the container's `starts`-th. */
  async ready(starts = 1): Promise<SupervisorState> {
    for (;;) {
      const state = await this.state().catch(() => null)
      if (state && state.starts >= starts) return state
      await new Promise(setImmediate)
    }
  }

  async order(kind: OrderKind | 'carrier', header: object, body?: object): Promise<OrderAnswer> {
    const socket = await this.#open(kind, header)
    socket.end(body === undefined ? '' : JSON.stringify(body))
    const parts: Buffer[] = []
    for await (const part of socket) parts.push(part as Buffer)
    return JSON.parse(Buffer.concat(parts).toString()) as OrderAnswer
  }

  /** @param command a line for `sh`, or a program and its arguments */
  async start(session: string, command: string | string[], more: Partial<SessionStart> = {}): Promise<OrderAnswer> {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command
    const env = { PATH: process.env['PATH'] ?? '', NODE: process.execPath }
    return this.order('session-start', { session }, { argv, env, cwd: '/', ...more })
  }

  async state(): Promise<SupervisorState> {
    const socket = await this.#open('sessions', {})
    let text = ''
    for await (const part of socket) {
      text += String(part)
      if (text.includes('\n')) break
    }
    return JSON.parse(text.split('\n')[0]!) as SupervisorState
  }

  /** Starts a session and reads all of its output. */
  async run(
    session: string,
    command: string | string[],
    more: Partial<SessionStart> = {},
    until?: (output: Output) => boolean,
  ): Promise<Output> {
    const answer = await this.start(session, command, more)
    if (!('session' in answer)) throw new Error(JSON.stringify(answer))
    return this.read(session, 0, until)
  }

  /** Reads a spool to its end and acknowledges what it has, as a server does; `until` breaks off early. */
  async read(
    session: string,
    from = 0,
    until: (output: Output, offset: number) => boolean = () => false,
  ): Promise<Output> {
    const reader = new OutputReader(from)
    const output: Output = {
      stdout: Buffer.alloc(0),
      stderr: Buffer.alloc(0),
      order: [],
      notes: [],
      end: null,
      gaps: [],
    }
    const parts: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
    const socket = await this.#open('spool', { session, from })
    let rest: Buffer = Buffer.alloc(0)
    reading: for await (const chunk of socket) {
      rest = Buffer.concat([rest, chunk as Buffer])
      while (rest.length >= 13 && rest.length >= 13 + rest.readUInt32BE(9)) {
        const at = Number(rest.readBigUInt64BE())
        const length = rest.readUInt32BE(9)
        if (at !== reader.complete && at > reader.complete) {
          output.gaps.push([reader.complete, at])
          reader.skipTo(at)
        }
        for (const record of reader.take(Buffer.from(rest.subarray(13, 13 + length)))) add(output, parts, record)
        rest = rest.subarray(13 + length)
        const acknowledged = Buffer.alloc(8)
        acknowledged.writeBigUInt64BE(BigInt(reader.complete))
        if (socket.writable) socket.write(acknowledged)
        if (until(output, reader.complete)) break reading
      }
    }
    output.stdout = Buffer.concat(parts.stdout)
    output.stderr = Buffer.concat(parts.stderr)
    return output
  }

  async #open(kind: string, header: object): Promise<Socket> {
    const socket = connect({ path: this.#socketPath, allowHalfOpen: true })
    await once(socket, 'connect')
    socket.write(`${JSON.stringify({ kind, header })}\n`)
    return socket
  }
}

function add(output: Output, parts: Record<'stdout' | 'stderr', Buffer[]>, { kind, bytes }: OutputRecord): void {
  if (kind !== 'note') parts[kind].push(Buffer.from(bytes))
  if (output.order.at(-1) !== kind) output.order.push(kind)
  if (kind !== 'note') return
  const note = parseNote(Buffer.from(bytes).toString())
  if (note) output.notes.push(note)
  if (note?.note === 'ended') output.end = note.end
}
