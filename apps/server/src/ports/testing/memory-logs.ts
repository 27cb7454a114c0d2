import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { foldSgr, plainStyle, sgrOf } from '@beadloom/core/text/sgr.ts'
import { BLOCK_LINES } from '../logs.ts'
import type { LogReader, LogSlice, LogState } from '../logs.ts'

type MemoryLog = { text: Buffer; starts: number[]; partial: string; complete: boolean; exit: number | null }

/** Logs in memory with the recorder's interface. `reads` is counted, so that a test sees the cost of a client. */
export class MemoryLogs implements LogReader {
  reads = 0
  /** Marks of whole logs. */
  readonly marked = new Map<SessionId, Pick<LogMarks, 'times' | 'stderr'>>()
  readonly #logs = new Map<SessionId, MemoryLog>()
  readonly #listeners = new Set<(session: SessionId) => void>()

  /** Adds whole lines and, after the last newline, the start of one. The first call creates the log. */
  append(session: SessionId, text: string): void {
    const log = this.#logs.get(session) ?? {
      text: Buffer.alloc(0),
      starts: [],
      partial: '',
      complete: false,
      exit: null,
    }
    const all = log.partial + text
    const end = all.lastIndexOf('\n') + 1
    const lines = Buffer.from(all.slice(0, end))
    for (let at = 0; at < lines.length; at = lines.indexOf(10, at) + 1) log.starts.push(log.text.length + at)
    log.text = Buffer.concat([log.text, lines])
    log.partial = all.slice(end)
    this.#logs.set(session, log)
    this.#tell(session)
  }

  /** Agents' own output. */
  readonly agents = new Map<SessionId, Buffer>()

  agentSize(session: SessionId): Promise<number | null> {
    return Promise.resolve(this.agents.get(session)?.length ?? null)
  }

  agentBytes(session: SessionId, from: number, length: number): Promise<Buffer> {
    return Promise.resolve((this.agents.get(session) ?? Buffer.alloc(0)).subarray(from, from + length))
  }

  complete(session: SessionId, exit: number | null): void {
    this.append(session, '')
    Object.assign(this.#logOf(session), { complete: true, exit })
    this.#tell(session)
  }

  state(session: SessionId): LogState | null {
    const log = this.#logs.get(session)
    if (!log) return null
    const { starts, text, complete, partial, exit } = log
    return { lines: starts.length, bytes: text.length, complete, partial, exit }
  }

  async read(session: SessionId, line: number, maxBytes: number): Promise<LogSlice> {
    this.reads++
    const { text, starts } = this.#logOf(session)
    const from = starts[line]
    if (from === undefined) return { firstLine: line, count: 0, text: Buffer.alloc(0) }
    let low = line + 1
    let high = starts.length
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((starts[middle] ?? text.length) - from <= maxBytes) low = middle
      else high = middle - 1
    }
    return { firstLine: line, count: low - line, text: text.subarray(from, starts[low] ?? text.length) }
  }

  async bytes(session: SessionId, from: number, length: number): Promise<Buffer> {
    return this.#logOf(session).text.subarray(from, from + length)
  }

  async offsetOf(session: SessionId, line: number): Promise<number> {
    const { starts, text } = this.#logOf(session)
    return starts[line] ?? text.length
  }

  async marks(session: SessionId, from: number, to: number): Promise<LogMarks> {
    const { times, stderr } = this.marked.get(session) ?? { times: [], stderr: [] }
    const end = Math.max(from, Math.min(to, this.#logOf(session).starts.length))
    const first = times.findLast(([line]) => line <= from)
    const held: LogMarks['times'] = times.filter(([line]) => line > from && line < end)
    if (first && from < end) held.unshift([from, first[1]])
    const cut = stderr.map(([a, b]): [number, number] => [Math.max(a, from), Math.min(b, end - 1)])
    return { from, to: end, times: held, stderr: cut.filter(([a, b]) => a <= b) }
  }

  async styleAt(session: SessionId, block: number): Promise<string | null> {
    const { starts, text } = this.#logOf(session)
    return sgrOf(foldSgr(plainStyle, text.toString('utf8', 0, starts[block * BLOCK_LINES] ?? text.length)))
  }

  onGrow(listener: (session: SessionId) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #logOf(session: SessionId): MemoryLog {
    const log = this.#logs.get(session)
    if (!log) throw new Error(`no log of ${session}`)
    return log
  }

  #tell(session: SessionId): void {
    for (const listener of this.#listeners) listener(session)
  }
}
