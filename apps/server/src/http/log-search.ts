import { Worker } from 'node:worker_threads'
import type { SessionId } from '@beadloom/core/ids.ts'
import type { LogReader, LogState } from '../ports/logs.ts'
import type { Clock } from '../process/clock.ts'
import { Problem } from './ports.ts'
import { Reply } from './route.ts'

/** `from`: the first line that is looked at, for a log that has grown since the last search. */
export type SearchQuery = { q: string; re?: boolean; case?: boolean; word?: boolean; from?: number }
export type SearchPattern = { source: string; flags: string }
/** Whole lines for the worker, and for how many more hits there is room. */
export type SearchBatch = { firstLine: number; text: Uint8Array; room: number }
/** Flat triples of line, column, length. */
export type SearchHits = { hits: number[]; more: boolean }

const MAX_HITS = 100_000
const READ_BYTES = 512 * 1024
/** Half a MiB takes some milliseconds; when it takes seconds, the pattern backtracks without end. */
const BATCH_LIMIT_MS = 3_000
const SEARCH_LIMIT_MS = 60_000
const PROGRESS_MS = 100
/** Each is a thread. */
const MAX_SEARCHES = 4

export interface Searches {
  /** Hits as NDJSON; `signal` must abort when the answer is no longer wanted, for whatever reason. */
  start(session: SessionId, state: LogState, query: SearchQuery, signal: AbortSignal): Reply | Problem
}

export function createSearches(logs: LogReader, clock: Clock): Searches {
  let running = 0

  return {
    start(session, state, query, signal) {
      const pattern = patternOf(query)
      if (pattern instanceof Problem) return pattern
      if (running >= MAX_SEARCHES)
        return new Problem(429, 'too_many_searches', `${MAX_SEARCHES} searches run already. Try again in a moment.`)
      running += 1
      const release = once(() => (running -= 1))
      signal.addEventListener('abort', release, { once: true })
      return new Reply(
        search({ logs, clock, session, from: query.from ?? 0, count: state.lines, pattern, signal, release }),
        {
          'Content-Type': 'application/x-ndjson; charset=utf-8',
        },
      )
    },
  }
}

export function patternOf({ q, re, case: exact, word }: SearchQuery): SearchPattern | Problem {
  const body = re ? q : q.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = { source: word ? `(?<!\\w)(?:${body})(?!\\w)` : body, flags: exact ? 'g' : 'gi' }
  try {
    new RegExp(body, pattern.flags)
    return pattern
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return new Problem(400, 'invalid_pattern', `This is no regular expression: ${why}`)
  }
}

type Job = {
  logs: LogReader
  clock: Clock
  session: SessionId
  from: number
  /** Lines that the log had when the search was asked for. */
  count: number
  pattern: SearchPattern
  signal: AbortSignal
  release: () => void
}

async function* search(job: Job): AsyncGenerator<string> {
  const worker = new Worker(new URL('./log-search-worker.ts', import.meta.url), {
    workerData: job.pattern,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  worker.on('error', () => {}) // heard by `ask` while it waits; without any listener it would end the server
  try {
    yield* hits(job, worker)
  } finally {
    job.release()
    await worker.terminate()
  }
}

async function* hits({ logs, clock, session, from, count, signal }: Job, worker: Worker): AsyncGenerator<string> {
  const started = clock.monotonic()
  let told = started
  let found = 0
  for (let line = from; line < count;) {
    const slice = await logs.read(session, line, READ_BYTES)
    if (slice.count === 0) break
    const answer = await ask(worker, { firstLine: line, text: slice.text, room: MAX_HITS - found }, clock, signal)
    if (signal.aborted) return
    if (answer === 'failed' || clock.monotonic() - started > SEARCH_LIMIT_MS) {
      const message = `The search was stopped at line ${line}: this pattern takes too long. Make it simpler.`
      return yield lineOf({ error: { code: 'search_stopped', message } })
    }
    line = Math.min(line + slice.count, count)
    found += answer.hits.length / 3
    if (answer.hits.length > 0) yield triples(answer.hits)
    if (answer.more) return yield lineOf({ done: true, hits: found, lines: line, more: true })
    if (clock.monotonic() - told < PROGRESS_MS) continue
    told = clock.monotonic()
    yield lineOf({ progress: line })
  }
  yield lineOf({ done: true, hits: found, lines: count, more: false })
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

function triples(flat: number[]): string {
  let text = ''
  for (let at = 0; at < flat.length; at += 3) text += `[${flat[at]},${flat[at + 1]},${flat[at + 2]}]\n`
  return text
}

/** One batch through the worker; `failed` when it takes too long, runs out of memory, or nobody wants it any more. */
function ask(worker: Worker, batch: SearchBatch, clock: Clock, signal: AbortSignal): Promise<SearchHits | 'failed'> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const settle = (answer: SearchHits | 'failed') => {
      over.abort()
      worker.off('message', settle)
      worker.off('error', fail)
      resolve(answer)
    }
    const fail = () => settle('failed')
    worker.on('message', settle)
    worker.on('error', fail)
    void clock.sleep(BATCH_LIMIT_MS, AbortSignal.any([signal, over.signal])).then(fail)
    worker.postMessage(batch)
  })
}

function once(run: () => void): () => void {
  let ran = false
  return () => {
    if (!ran) run()
    ran = true
  }
}
