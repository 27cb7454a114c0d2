import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import { LogHits } from './log-hits.ts'
import { readHits } from './log-search.ts'

/** The lines in memory; a `LogFeed` is one. */
export type ScanSource = { readonly lines: number; line(n: number): string | undefined }
export type ScanState = 'searching' | 'done' | 'more' | { failed: string }

export type ScanDeps = {
  source: ScanSource
  /** Matches the same as the server's search. Null: only the server may search. */
  local: RegExp | null
  /** Counts lines, so one hit per line is enough. */
  linesOnly?: boolean
  /** Has the server search from a line on. */
  ask(from: number, signal: AbortSignal): Promise<Response>
  /** Runs something after milliseconds; returns its own cancel. */
  after(ms: number, run: () => void): () => void
  onChange(): void
}

/** New lines are searched here, in steps of at most this size; more of them are left to the server. */
const LOCAL_STEP = 4_000
const LOCAL_MOST = 20_000
/** A growing log is searched again by the server, but not with every line. */
const ASK_AGAIN_MS = 2_000
/** The server's own limit of hits. */
const MOST_HITS = 100_000

/**
 * The hits of one pattern in one log, including lines printed later. Most of a log is not in memory, so the server
 * searches it once; after that only for new lines that are not in memory either.
 */
export class LogScan {
  readonly hits = new LogHits()
  state: ScanState = 'searching'
  /** The first line not searched yet. */
  to = 0
  readonly #deps: ScanDeps
  readonly #stop = new AbortController()
  #asking = false
  #cancelLater: (() => void) | null = null

  constructor(deps: ScanDeps) {
    this.#deps = deps
  }

  stop(): void {
    this.#stop.abort()
    this.#cancelLater?.()
  }

  /** Searches new lines; call it as often as you like. */
  grow(): void {
    if (this.#stop.signal.aborted || this.#asking || this.#cancelLater || this.state === 'more') return
    if (typeof this.state === 'object') return
    const { source } = this.#deps
    if (this.to < source.lines && this.#lookHere()) this.#deps.onChange()
    if (this.to >= source.lines) {
      if (this.state === 'searching' && source.lines > 0) this.#become('done')
      return
    }
    if (this.#isNear()) return this.#later(0)
    void this.#ask()
  }

  /** The rest is in memory, and small. */
  #isNear(): boolean {
    const { local, source } = this.#deps
    return local !== null && source.lines - this.to <= LOCAL_MOST && source.line(this.to) !== undefined
  }

  /** Searches one step of the lines in memory; true if there were hits. */
  #lookHere(): boolean {
    const { local, source } = this.#deps
    if (local === null || !this.#isNear()) return false
    const before = this.hits.length
    const end = Math.min(source.lines, this.to + LOCAL_STEP)
    for (; this.to < end; this.to++) {
      const line = source.line(this.to)
      if (line === undefined) break
      for (const match of stripAnsi(line).matchAll(local)) {
        if (match[0] !== '') this.#found(this.to, match.index, match[0].length)
      }
      if (this.hits.length >= MOST_HITS) {
        this.state = 'more'
        return true
      }
    }
    return this.hits.length > before
  }

  #found(line: number, column: number, length: number): void {
    if (this.#deps.linesOnly && this.hits.length > 0 && this.hits.line(this.hits.length - 1) === line) return
    this.hits.push(line, column, length)
  }

  async #ask(): Promise<void> {
    const { ask, onChange } = this.#deps
    const { signal } = this.#stop
    this.#asking = true
    try {
      const { body } = await ask(this.to, signal)
      if (!body) throw new Error('The server sent an empty answer. Search again.')
      const end = await readHits(body, {
        onHits: (hits) => {
          if (signal.aborted) return
          for (const { line, column, length } of hits) this.#found(line, column, length)
          onChange()
        },
      })
      this.#asking = false
      if (signal.aborted) return
      this.to = Math.max(this.to, end.lines)
      this.#become(end.more ? 'more' : 'done')
      this.#later(ASK_AGAIN_MS)
    } catch (error) {
      this.#asking = false
      if (signal.aborted) return
      if (isBusy(error)) this.#later(ASK_AGAIN_MS)
      else this.#become({ failed: error instanceof Error ? error.message : String(error) })
    }
  }

  #later(ms: number): void {
    this.#cancelLater = this.#deps.after(ms, () => {
      this.#cancelLater = null
      this.grow()
    })
  }

  #become(state: ScanState): void {
    this.state = state
    this.#deps.onChange()
  }
}

/** The server already runs its limit of searches; this one will get its turn. */
const isBusy = (error: unknown): boolean => error instanceof Error && 'status' in error && error.status === 429
