import type { LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import type { LogChunk } from '@beadloom/core/api/stream/protocol.ts'
import type { FeedClock } from './clock.ts'
import type { ChannelFrame, ChannelHandle, LiveSocket } from './live-socket.ts'
import { LogBlocks } from './log-blocks.ts'
import { BLOCK_LINES, decideChunk, decideEnd, isComplete, tailStart } from './log-cursor.ts'
import type { LogCursor } from './log-cursor.ts'
import { LineMarks } from './log-marks.ts'

/** The HTTP side of a log. Failures reject with a message for people. */
export type LogHistory = {
  /** Resolves to null if there is no log yet: the socket then waits for it, or reports that there never will be one. */
  meta(session: string, signal: AbortSignal): Promise<LogMeta | null>
  block(session: string, block: number, signal: AbortSignal): Promise<LogBlock>
  /** Only the style at the start of a block. */
  style(session: string, block: number, signal: AbortSignal): Promise<LogBlock['style']>
  marks(session: string, lines: { from: number; to: number }, signal: AbortSignal): Promise<LogMarks | null>
}
/** `style`: the colours in effect at its first line, as the parameters of a sequence (`1;31`); null if unknown. */
export type LogBlock = { text: string; style: string | null }

export type LogPhase =
  | { is: 'loading' }
  | { is: 'open' }
  | { is: 'expired'; reason: string }
  | { is: 'failed'; message: string }

/** A person who flings through the log only passes most blocks; those are never requested. */
const FETCH_DELAY_MS = 60

const asLines = (text: string): string[] => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop() // every line ends with a newline
  return lines
}

/** One session's log: the tail through the socket, history in blocks over HTTP, everything by line number. */
export class LogFeed {
  phase: LogPhase = { is: 'loading' }
  meta: LogMeta | null = null
  partial: string | null = null
  /** Time of the newest line, in milliseconds of this browser's clock; 0: no line yet. */
  grewAt = 0
  /** Raised with every change of lines before the tail, to tell views to draw again. */
  version = 0

  readonly session: string
  readonly marks: LineMarks
  readonly #socket: LiveSocket
  readonly #history: LogHistory
  readonly #clock: FeedClock
  readonly #onClose: () => void
  readonly #blocks = new LogBlocks()
  readonly #listeners = new Set<() => void>()
  readonly #decoder = new TextDecoder()
  readonly #fetches = new Map<number, AbortController>()
  readonly #closing = new AbortController()
  #cursor: LogCursor = { next: 0, end: null }
  #from = 0
  #caughtUpAt = -1
  #epoch: string | undefined
  #handle: ChannelHandle | null = null
  #cancelWant: (() => void) | null = null

  constructor(session: string, socket: LiveSocket, history: LogHistory, clock: FeedClock, onClose: () => void) {
    this.session = session
    this.#socket = socket
    this.#history = history
    this.#clock = clock
    this.#onClose = onClose
    this.marks = new LineMarks({
      ask: (from, to, signal) => history.marks(session, { from, to }, signal),
      clock,
      onChange: () => this.#tell(),
    })
  }

  /** Number of lines known to exist, without the partial line. */
  get lines(): number {
    return Math.max(this.#cursor.next, this.meta?.lines ?? 0)
  }

  get complete(): boolean {
    return isComplete(this.#cursor)
  }

  get exit(): number | null {
    return this.#cursor.end?.exit ?? null
  }

  line(number: number): string | undefined {
    return this.#blocks.line(number)
  }

  /** The colours at the start of a block; null until the server has sent them. */
  styleOf(block: number): string | null {
    return this.#blocks.styleOf(block)
  }

  async start(begun = true): Promise<void> {
    this.#become({ is: 'loading' })
    try {
      const meta = begun ? await this.#history.meta(this.session, this.#closing.signal) : null
      if (this.#closing.signal.aborted) return
      this.#begin(meta)
      this.resume()
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#become({ is: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  close(): void {
    this.#closing.abort()
    this.marks.close()
    this.#cancelWant?.()
    for (const fetch of this.#fetches.values()) fetch.abort()
    this.pause()
    this.#listeners.clear()
    this.#onClose()
  }

  /** Stops following; the cursor stays. */
  pause(): void {
    this.#handle?.close()
    this.#handle = null
  }

  resume(): void {
    if (this.#handle || this.phase.is !== 'open' || this.complete) return
    this.#handle = this.#socket.follow({
      topic: `log:${this.session}`,
      cursor: () => ({ next: this.#cursor.next, ...(this.#epoch ? { epoch: this.#epoch } : {}) }),
      frame: (frame) => this.#frame(frame),
      chunk: (chunk) => this.#chunk(chunk),
    })
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Fetches missing lines that the view shows now, and cancels requests for others. */
  want(lines: readonly number[]): void {
    this.marks.want(lines, this.lines)
    const wanted = new Set(lines.map((line) => Math.floor(line / BLOCK_LINES)))
    for (const block of wanted) this.#blocks.touch(block)
    for (const [block, fetch] of this.#fetches) {
      if (wanted.has(block)) continue
      fetch.abort()
      this.#fetches.delete(block)
    }
    this.#cancelWant?.()
    this.#cancelWant = this.#clock.after(FETCH_DELAY_MS, () => {
      for (const block of wanted) void this.#fetchBlock(block)
    })
  }

  async #fetchBlock(block: number): Promise<void> {
    // Lines behind `#from` come through the socket, unless their block was dropped to save memory.
    const isTail = (block + 1) * BLOCK_LINES > this.#cursor.next && block * BLOCK_LINES >= this.#from
    if (isTail || this.#fetches.has(block) || this.#blocks.has(block, this.#cursor.next)) return
    const fetch = new AbortController()
    this.#fetches.set(block, fetch)
    try {
      const { text, style } = await this.#history.block(this.session, block, fetch.signal)
      this.#blocks.put(block, asLines(text))
      this.#blocks.setStyle(block, style)
      this.#trim()
      this.version++
      this.#tell()
    } catch {
      // The next movement asks again; until then the pane shows line numbers alone.
    } finally {
      if (this.#fetches.get(block) === fetch) this.#fetches.delete(block)
    }
  }

  #begin(meta: LogMeta | null): void {
    this.meta = meta
    this.#epoch = meta?.epoch
    this.#from = tailStart(meta?.lines ?? 0)
    this.#cursor = { next: this.#from, end: null }
    this.#caughtUpAt = -1
    this.#blocks.clear()
    this.partial = null
    this.version++
    this.#become({ is: 'open' })
    if (this.#from > 0) void this.#askStyle(this.#from / BLOCK_LINES)
  }

  /** Asks for the style of the tail: it comes through the socket, which does not send colours. */
  async #askStyle(block: number): Promise<void> {
    try {
      const style = await this.#history.style(this.session, block, this.#closing.signal)
      if (this.#from !== block * BLOCK_LINES) return
      this.#blocks.setStyle(block, style)
      this.version++
      this.#tell()
    } catch {
      // Without a style the tail starts plain, as most do.
    }
  }

  #chunk(chunk: LogChunk): void {
    const decision = decideChunk(this.#cursor, chunk.firstLine, chunk.count)
    if (decision.do === 'drop') return
    if (decision.do === 'resubscribe') {
      this.#handle?.resubscribe()
      return
    }
    const lines = asLines(this.#decoder.decode(chunk.text)).slice(decision.skip)
    this.#blocks.append(this.#cursor.next, lines)
    this.#cursor = { ...this.#cursor, next: decision.next }
    this.partial = null
    this.grewAt = this.#clock.now()
    this.#trim()
    this.#tell()
  }

  #frame(frame: ChannelFrame): void {
    switch (frame.type) {
      case 'snapshot': // the log was replaced: what we hold belongs to another epoch
        this.#epoch = frame.epoch
        void this.#startOver()
        return
      case 'partial':
        this.partial = frame.line === this.#cursor.next ? frame.text : null
        this.grewAt = this.#clock.now()
        this.#tell()
        return
      case 'end':
        this.#end(frame.lines, frame.exit)
        return
      case 'expired':
        this.pause()
        this.#become({ is: 'expired', reason: frame.reason })
        return
      case 'delta':
        return
    }
  }

  #end(lines: number, exit: number | null): void {
    const decision = decideEnd(this.#cursor, lines)
    if (decision.do === 'start-over') {
      void this.#startOver()
      return
    }
    this.#cursor = { ...this.#cursor, end: { lines, exit } }
    if (decision.do === 'catch-up') {
      this.#catchUp(lines)
      return
    }
    this.partial = null
    this.pause() // nothing can follow
    this.#tell()
  }

  /** Asks again from the current line, but only once: a server that still sends nothing would be asked for ever. */
  #catchUp(lines: number): void {
    if (this.#caughtUpAt === this.#cursor.next) {
      this.pause()
      const held = this.#cursor.next
      this.#become({ is: 'failed', message: `the server sent only ${held} of ${lines} lines` })
      return
    }
    this.#caughtUpAt = this.#cursor.next
    this.#handle?.resubscribe()
  }

  async #startOver(): Promise<void> {
    this.pause()
    await this.start()
  }

  #trim(): void {
    this.#blocks.trim(Math.floor(this.#cursor.next / BLOCK_LINES) - 1)
  }

  #become(phase: LogPhase): void {
    this.phase = phase
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
