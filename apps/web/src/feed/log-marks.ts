import type { LogMarks } from '@beadloom/core/log/log-marks.ts'
import type { FeedClock } from './clock.ts'

export type MarksDeps = {
  /** Resolves to null if the server keeps no marks of this log. */
  ask(from: number, to: number, signal: AbortSignal): Promise<LogMarks | null>
  clock: FeedClock
  onChange(): void
}

/** Lines in one request: four blocks, a quarter of the most that the server gives. */
const CHUNK_LINES = 2048
/** 131,000 lines, as many as `MOST_BLOCKS` holds. */
const MOST_CHUNKS = 64
/** While a person flings through the log, we ask only now and then, for the lines in view. */
const SOON_MS = 100
/** A growing log is asked about again, but not with every line. */
const AGAIN_MS = 1000
const AFTER_FAILURE_MS = 5000

type Chunk = { to: number; askedAt: number; lines: number[]; times: number[]; firsts: number[]; lasts: number[] }

/** Marks of the lines in view and near it; one request at a time. */
export class LineMarks {
  readonly #deps: MarksDeps
  readonly #stop = new AbortController()
  readonly #chunks = new Map<number, Chunk>()
  #wanted: readonly number[] = []
  #lines = 0
  #cancel: (() => void) | null = null
  /** End of the wait that `#cancel` would cut short. */
  #asksAt = 0
  #asking = false
  #restUntil = 0
  /** Last time that the end of the log was asked about, in whichever chunk. */
  #endAskedAt = Number.NEGATIVE_INFINITY
  #none = false

  constructor(deps: MarksDeps) {
    this.#deps = deps
  }

  /** Milliseconds UTC; null if the time is not known (yet). */
  timeOf(line: number): number | null {
    const chunk = this.#chunks.get(chunkOf(line))
    if (!chunk || line >= chunk.to) return null
    const at = lastAtMost(chunk.lines, line)
    return at < 0 ? null : (chunk.times[at] ?? null)
  }

  isStderr(line: number): boolean {
    const chunk = this.#chunks.get(chunkOf(line))
    const at = chunk ? lastAtMost(chunk.firsts, line) : -1
    return at >= 0 && line <= (chunk?.lasts[at] ?? -1)
  }

  /** Takes the lines in view and the length of the log; call it as often as you like. */
  want(lines: readonly number[], all: number): void {
    this.#lines = all
    this.#wanted = [...new Set(lines.map(chunkOf))]
    this.#plan()
  }

  close(): void {
    this.#stop.abort()
    this.#cancel?.()
  }

  #plan(): void {
    if (this.#asking || this.#none || this.#stop.signal.aborted) return
    const due = this.#wanted.filter((index) => this.#lacks(index)).map((index) => this.#dueAt(index))
    if (due.length === 0) return
    const now = this.#deps.clock.now()
    const wait = Math.max(SOON_MS, Math.min(...due) - now)
    if (this.#cancel && now + wait >= this.#asksAt) return
    this.#cancel?.()
    this.#asksAt = now + wait
    this.#cancel = this.#deps.clock.after(wait, () => {
      this.#cancel = null
      const next = this.#wanted.find((index) => this.#lacks(index) && this.#dueAt(index) <= this.#asksAt)
      if (next === undefined) this.#plan()
      else void this.#ask(next)
    })
  }

  #lacks(index: number): boolean {
    return (this.#chunks.get(index)?.to ?? index * CHUNK_LINES) < Math.min(this.#lines, (index + 1) * CHUNK_LINES)
  }

  /** When a chunk may be requested. In a flood the end moves to another chunk ten times a second, so it waits, too. */
  #dueAt(index: number): number {
    const askedAt = this.#chunks.get(index)?.askedAt ?? Number.NEGATIVE_INFINITY
    const endAskedAt = this.#isEnd(index) ? this.#endAskedAt : Number.NEGATIVE_INFINITY
    return Math.max(this.#restUntil, askedAt + AGAIN_MS, endAskedAt + AGAIN_MS)
  }

  #isEnd(index: number): boolean {
    return (index + 1) * CHUNK_LINES >= this.#lines
  }

  async #ask(index: number): Promise<void> {
    const from = this.#chunks.get(index)?.to ?? index * CHUNK_LINES
    this.#asking = true
    if (this.#isEnd(index)) this.#endAskedAt = this.#deps.clock.now()
    try {
      const end = Math.min(this.#lines, (index + 1) * CHUNK_LINES)
      const marks = await this.#deps.ask(from, end, this.#stop.signal)
      if (this.#stop.signal.aborted) return
      if (marks === null) this.#none = true
      else this.#take(index, from, marks)
    } catch {
      // The log is readable without marks; they are requested again a little later.
      this.#restUntil = this.#deps.clock.now() + AFTER_FAILURE_MS
    } finally {
      this.#asking = false
    }
    this.#plan()
  }

  #take(index: number, from: number, { to, times, stderr }: LogMarks): void {
    const chunk = this.#chunks.get(index) ?? { to: from, askedAt: 0, lines: [], times: [], firsts: [], lasts: [] }
    for (const [line, at] of times) {
      chunk.lines.push(line)
      chunk.times.push(at)
    }
    for (const [first, last] of stderr) {
      chunk.firsts.push(first)
      chunk.lasts.push(last)
    }
    chunk.to = Math.max(chunk.to, to)
    chunk.askedAt = this.#deps.clock.now()
    this.#chunks.delete(index)
    this.#chunks.set(index, chunk)
    for (const known of this.#chunks.keys()) {
      if (this.#chunks.size <= MOST_CHUNKS) break
      if (!this.#wanted.includes(known)) this.#chunks.delete(known)
    }
    this.#deps.onChange()
  }
}

const chunkOf = (line: number): number => Math.floor(line / CHUNK_LINES)

/** Index of the last number that is not larger than the value, or -1. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = -1
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}
