import type { SessionId } from '@beadloom/core/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { LogReader, LogState } from '../../ports/logs.ts'
import type { Clock } from '../../process/clock.ts'
import { SearchThreads } from './log-search-thread.ts'
import type { SearchPattern, SearchThread } from './log-search-thread.ts'
import { Problem } from '../ports.ts'
import { Reply } from '../routing/route.ts'

/** `from`: the first line to search, for a log that has grown since the last search. */
export type SearchQuery = { q: string; re?: boolean; case?: boolean; word?: boolean; from?: number }
const MAX_HITS = 100_000
const READ_BYTES = 512 * 1024
/** Pieces that are read ahead, so that reading and searching do not wait for each other. */
const AHEAD = 3
const SEARCH_LIMIT_MS = 60_000
const PROGRESS_MS = 100
/** Each is a thread. */
const MAX_SEARCHES = 4

export interface Searches {
  /** Hits as NDJSON; `signal` must abort when the answer is no longer wanted, for whatever reason. */
  start(session: SessionId, state: LogState, query: SearchQuery, signal: AbortSignal): Reply | Problem
}

export function createSearches(logs: LogReader, clock: Clock): Searches {
  const threads = new SearchThreads(clock)
  let running = 0

  return {
    start(session, state, query, signal) {
      const pattern = patternOf(query)
      if (pattern instanceof Problem) return pattern
      if (running >= MAX_SEARCHES)
        return new Problem(
          429,
          'too_many_searches',
          `${MAX_SEARCHES} searches are already running. Try again in a moment.`,
        )
      running += 1
      const release = once(() => (running -= 1))
      signal.addEventListener('abort', release, { once: true })
      return new Reply(
        search({ logs, clock, session, from: query.from ?? 0, state, pattern, signal, release }, threads),
        { 'Content-Type': 'application/x-ndjson; charset=utf-8' },
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
    const why = messageOf(error)
    return new Problem(400, 'invalid_pattern', `This is not a valid regular expression: ${why}`)
  }
}

type Job = {
  logs: LogReader
  clock: Clock
  session: SessionId
  from: number
  /** The log when the search was asked for. */
  state: LogState
  pattern: SearchPattern
  signal: AbortSignal
  release: () => void
}

async function* search(job: Job, threads: SearchThreads): AsyncGenerator<string> {
  const thread = threads.take()
  const stop = () => void thread.end()
  job.signal.addEventListener('abort', stop, { once: true })
  try {
    yield* hits(job, thread)
  } finally {
    job.signal.removeEventListener('abort', stop)
    job.release()
    await threads.giveBack(thread)
  }
}

async function* hits(job: Job, thread: SearchThread): AsyncGenerator<string> {
  const { logs, clock, session, state, signal } = job
  const started = clock.monotonic()
  const asked: ReturnType<SearchThread['look']>[] = []
  let [told, found, line] = [started, 0, job.from]
  let at = await logs.offsetOf(session, job.from)
  thread.begin({ pattern: job.pattern, line, room: MAX_HITS })
  for (;;) {
    while (asked.length < AHEAD && at < state.bytes) {
      const text = await logs.bytes(session, at, Math.min(READ_BYTES, state.bytes - at))
      if (text.length === 0) break // the log is gone
      at += text.length
      asked.push(thread.look(text))
    }
    const answer = await asked.shift()
    if (signal.aborted) return
    if (answer === undefined) break
    if (answer === 'failed' || clock.monotonic() - started > SEARCH_LIMIT_MS) {
      const message = `The search was stopped at line ${line}: this pattern takes too long. Simplify it.`
      return yield lineOf({ error: { code: 'search_stopped', message } })
    }
    line = answer.line
    found += answer.hits.length / 3
    if (answer.hits.length > 0) yield triples(answer.hits)
    if (answer.more) return yield lineOf({ done: true, hits: found, lines: line, more: true })
    if (clock.monotonic() - told < PROGRESS_MS) continue
    told = clock.monotonic()
    yield lineOf({ progress: line })
  }
  yield lineOf({ done: true, hits: found, lines: state.lines, more: false })
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

function triples(flat: number[]): string {
  let text = ''
  for (let at = 0; at < flat.length; at += 3) text += `[${flat[at]},${flat[at + 1]},${flat[at + 2]}]\n`
  return text
}

function once(run: () => void): () => void {
  let ran = false
  return () => {
    if (!ran) run()
    ran = true
  }
}
