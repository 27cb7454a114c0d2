import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { OutputReader, type OutputRecord } from '@beadloom/core/link/output-record.ts'
import type { OrderAnswer, OrderKind, SessionStart, SupervisorState } from '@beadloom/core/link/session-control.ts'
import { parseNote, type SessionEnd, type SessionNote } from '@beadloom/core/link/session-note.ts'
import { tmpdir } from 'node:os'

const here = import.meta.dirname
const asRoot = process.getuid?.() === 0
/** Namespaces of its own, as a container has them; without root by way of a user namespace. */
const namespaces = ['--pid', '--fork', '--kill-child', '--mount-proc', ...(asRoot ? [] : ['--user', '--map-current-user'])]
/** Without capabilities, as in a container: root would be allowed to write to a file that nobody may write to. */
const powerless = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
const unshare = [...namespaces, ...(asRoot ? powerless : [])]

/** Why there can be no pid namespace here, or null. */
export function whyNoNamespace(): string | null {
  const { status, stderr } = spawnSync('unshare', [...unshare, 'true'], { encoding: 'utf8' })
  if (status === 0) return null
  const why = `no pid namespace can be made here (${stderr?.trim() || 'there is no unshare'}): the supervisor's tests with processes are skipped`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${why}`)
  console.warn(why)
  return why
}

export type Output = {
  stdout: Buffer
  stderr: Buffer
  /** The kinds of the records in order, without repetition. */
  order: string[]
  notes: SessionNote[]
  end: SessionEnd | null
  /** Offsets from and to which something was missing. */
  gaps: [number, number][]
}

/** A pid namespace with process 1, the supervisor, and orders as a server would send them. */
export class Sandbox {
  /** The sessions' folders. */
  readonly folder: string
  #own: string
  #socketPath: string
  #process: ChildProcess
  /** The supervisor's own words. */
  words = ''

  private constructor(own: string, folder: string, socketPath: string, process: ChildProcess) {
    this.#own = own
    this.folder = folder
    this.#socketPath = socketPath
    this.#process = process
    process.stderr?.on('data', (bytes: Buffer) => (this.words += bytes.toString()))
  }

  /** Close it: in `afterAll`, or with `await using`. */
  static async open(options: { folder?: string; spoolBytes?: number } = {}): Promise<Sandbox> {
    const own = await mkdtemp(join(tmpdir(), 'beadloom-sandbox-'))
    const folder = options.folder ?? join(own, 'sessions')
    const socketPath = join(own, 'orders.sock')
    const command = [join(here, '..', 'process-one.sh'), process.execPath, join(here, 'sandbox-main.ts')]
    const args = [folder, socketPath, String(options.spoolBytes ?? 256 * 1024 * 1024)]
    const child = spawn('unshare', [...unshare, 'sh', ...command, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    const sandbox = new Sandbox(own, folder, socketPath, child)
    await sandbox.ready()
    return sandbox
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await rm(this.#own, { recursive: true, force: true })
  }

  /** Kills everything in it, as the end of a container does. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await gone
  }

  /** As `docker stop` does it; the exit code of process 1. */
  async stopContainer(): Promise<number | null> {
    const [first] = readFileSync(`/proc/${this.#process.pid}/task/${this.#process.pid}/children`, 'utf8').split(' ')
    process.kill(Number(first), 'SIGTERM')
    return this.exited()
  }

  /** The exit code of process 1. */
  async exited(): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit')
    return this.#process.exitCode
  }

  /** Resolves with the state once a supervisor answers that was started `starts` times. */
  async ready(starts = 1): Promise<SupervisorState> {
    for (;;) {
      const state = await this.state().catch(() => null)
      if (state && state.starts >= starts) return state
      await new Promise(setImmediate)
    }
  }

  async order(kind: OrderKind, header: object, body?: object): Promise<OrderAnswer> {
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
    return JSON.parse(text) as SupervisorState
  }

  /** Starts it and reads all of its output. */
  async run(session: string, command: string | string[], more: Partial<SessionStart> = {}): Promise<Output> {
    const answer = await this.start(session, command, more)
    if (!('session' in answer)) throw new Error(JSON.stringify(answer))
    return this.read(session)
  }

  /** Reads a spool to its end, acknowledging what it has, as a server does; `until` breaks off early. */
  async read(session: string, from = 0, until: (output: Output, offset: number) => boolean = () => false): Promise<Output> {
    const reader = new OutputReader(from)
    const output: Output = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), order: [], notes: [], end: null, gaps: [] }
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
