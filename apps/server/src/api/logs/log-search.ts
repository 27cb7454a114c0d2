import type { SessionId } from '@beadloom/core/records/ids.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { LogReader, LogState } from '../../ports/logs.ts'
import type { Clock } from '../../process/clock.ts'
import { IdleThreads } from '../../process/idle-threads.ts'
import { SearchThread, type SearchPattern } from './log-search-thread.ts'
import { Problem } from '../../ports/problem.ts'
import { Reply } from '../../http/routing/route.ts'

/** `from`: the first line to search, for a log that has grown since the last search. */
export type SearchQuery = { q: string; re?: boolean; case?: boolean; word?: boolean; from?: number }
const MAX_HITS = 100_000
const READ_BYTES = 512 * 1024
/** The number of pieces that are read ahead, so that reading and searching do not wait for each other. */
const AHEAD = 3
const SEARCH_LIMIT_MS = 60_000
const PROGRESS_MS = 100
/** The most searches at a time; each is a thread. */
const MAX_SEARCHES = 4
const MOST_IDLE = 2

export interface Searches {
  /** Hits as NDJSON; `signal` must abort when the answer is no longer wanted, for whatever reason. */
  start(session: SessionId, state: LogState, query: SearchQuery, signal: AbortSignal): Reply | Problem
  /** The number of hits in each of these logs, as NDJSON, in their order; counts as one search. */
  count(logs: readonly SearchedLog[], query: SearchQuery, signal: AbortSignal): Reply | Problem
}

export type SearchedLog = { session: SessionId; state: LogState }

export function createSearches(logs: LogReader, clock: Clock): Searches {
  const threads = new IdleThreads(clock, MOST_IDLE, () => new SearchThread(clock))
  let running = 0

  function begin(
    query: SearchQuery,
    signal: AbortSignal,
    run: (search: Pick<Job, 'logs' | 'clock' | 'pattern' | 'signal'>, thread: SearchThread) => AsyncGenerator<string>,
  ): Reply | Problem {
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
    const lines = onThread(threads, signal, release, (thread) => run({ logs, clock, pattern, signal }, thread))
    return new Reply(lines, { 'Content-Type': 'application/x-ndjson; charset=utf-8' })
  }

  return {
    start: (session, state, query, signal) =>
      begin(query, signal, (search, thread) => hits({ ...search, session, state, from: query.from ?? 0 }, thread)),
    count: (all, query, signal) => begin(query, signal, (search, thread) => counts(all, search, thread)),
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
}

async function* onThread(
  threads: IdleThreads<SearchThread>,
  signal: AbortSignal,
  release: () => void,
  run: (thread: SearchThread) => AsyncGenerator<string>,
): AsyncGenerator<string> {
  const thread = threads.take()
  const stop = () => void thread.end()
  signal.addEventListener('abort', stop, { once: true })
  try {
    yield* run(thread)
  } finally {
    signal.removeEventListener('abort', stop)
    release()
    await threads.giveBack(thread)
  }
}

async function* hits(job: Job, thread: SearchThread): AsyncGenerator<string> {
  const { clock, state } = job
  let [told, found] = [clock.monotonic(), 0]
  for await (const part of searched(job, thread, told)) {
    if ('stopped' in part) return yield stoppedAt(part.stopped)
    found += part.hits.length / 3
    if (part.hits.length > 0) yield triples(part.hits)
    if (part.more) return yield lineOf({ done: true, hits: found, lines: part.line, more: true })
    if (clock.monotonic() - told < PROGRESS_MS) continue
    told = clock.monotonic()
    yield lineOf({ progress: part.line })
  }
  if (!job.signal.aborted) yield lineOf({ done: true, hits: found, lines: state.lines, more: false })
}

async function* counts(
  all: readonly SearchedLog[],
  search: Omit<Job, 'session' | 'state' | 'from'>,
  thread: SearchThread,
): AsyncGenerator<string> {
  const started = search.clock.monotonic()
  for (const { session, state } of all) {
    let [found, more] = [0, false]
    for await (const part of searched({ ...search, session, state, from: 0 }, thread, started)) {
      if ('stopped' in part) return yield stoppedAt(part.stopped)
      found += part.hits.length / 3
      more ||= part.more
    }
    if (search.signal.aborted) return
    yield lineOf({ session, hits: found, more })
  }
  yield lineOf({ done: true })
}

type Part = { hits: number[]; more: boolean; line: number } | { stopped: number }

/** Searches a log piece by piece; ends with `more` if there are more hits than a search gives, or if it is aborted. */
async function* searched(job: Job, thread: SearchThread, started: number): AsyncGenerator<Part> {
  const { logs, clock, session, state, signal } = job
  const asked: ReturnType<SearchThread['look']>[] = []
  let line = job.from
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
    if (signal.aborted || answer === undefined) return
    if (answer === 'failed' || clock.monotonic() - started > SEARCH_LIMIT_MS) return yield { stopped: line }
    line = answer.line
    yield answer
    if (answer.more) return
  }
}

const stoppedAt = (line: number): string =>
  lineOf({
    error: {
      code: 'search_stopped',
      message: `The search was stopped at line ${line}: this pattern takes too long. Simplify it.`,
    },
  })

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
