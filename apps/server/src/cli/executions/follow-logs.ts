import type { EventPage, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { systemClock, type Clock } from '../../process/clock.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { readLog } from './log-socket.ts'
import { NoServer } from '../../health/server-file.ts'

/**
 * The receiver of followed logs. `lines` takes whole lines, with the number of the first in the session; false means
 * that the reader has enough for now, and `drained` resolves when it wants more.
 */
export type LogSink = {
  /** Called with the execution between two sessions. */
  look?: (execution: ExecutionView) => void
  begin: (session: Session) => void
  lines: (text: string, first: number) => boolean
  end: () => void
  drained: () => Promise<void>
  note: (text: string) => void
}

/** A server that restarts is back within seconds, and a follower should not notice. */
const GIVE_UP_AFTER_MS = 60_000
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 3_000

/** The time for which the server keeps a poll open, in seconds; below every proxy's limit. */
const POLL_SECONDS = 20
/** The poll between two sessions is short: the next one should be noticed soon after it begins. */
const NEXT_SESSION_SECONDS = 1
/** Greater than every event's number: only the end of the execution answers such a poll early. */
const THE_END = 1_000_000_000_000

type Progress = {
  /** The next line of each session that has begun. */
  lines: Map<string, number>
  finished: Set<string>
  ended: boolean
}

/**
 * Prints the logs of an execution's sessions, one after the other, until the execution and its pipeline have ended:
 * each line once, whatever happens to the connection or the server meanwhile. Without a sink it only waits. Throws
 * `NoServer` if there is none at first, or none for `giveUpAfterMs` (default: a minute) after it was lost: a log may have
 * been silent for longer.
 */
export async function followExecution(
  api: ApiClient,
  id: string,
  sink: LogSink | null,
  clock: Clock = systemClock,
  giveUpAfterMs: number = GIVE_UP_AFTER_MS,
): Promise<ExecutionView> {
  const progress: Progress = { lines: new Map(), finished: new Set(), ended: false }
  await api.get(`/api/executions/${segment(id)}`)
  let lostAt: number | null = null
  let pause = FIRST_PAUSE_MS
  const heard = (): void => {
    lostAt = null
    pause = FIRST_PAUSE_MS
  }
  for (;;) {
    try {
      return await follow(api, id, sink, progress, heard)
    } catch (error) {
      if (!(error instanceof NoServer)) throw error
      lostAt ??= clock.monotonic()
      if (clock.monotonic() - lostAt > giveUpAfterMs) throw error
      if (pause === FIRST_PAUSE_MS) sink?.note('(lost the connection to the server; reconnecting)')
      await clock.sleep(pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }
}

async function follow(
  api: ApiClient,
  id: string,
  sink: LogSink | null,
  progress: Progress,
  heard: () => void,
): Promise<ExecutionView> {
  const path = `/api/executions/${segment(id)}`
  for (;;) {
    const execution = await api.get<ExecutionView>(path)
    heard()
    sink?.look?.(execution)
    const next = sink && execution.sessions.find((session) => !progress.finished.has(session.id))
    if (next) await followSession(api, next, sink, progress, heard)
    else if (progress.ended) return execution
    else {
      const wait = sink ? NEXT_SESSION_SECONDS : POLL_SECONDS
      const page = await api.get<EventPage>(`${path}/events?after=${THE_END}&limit=1&wait=${wait}`)
      progress.ended = page.ended
    }
  }
}

async function followSession(
  api: ApiClient,
  session: Session,
  sink: LogSink,
  progress: Progress,
  heard: () => void,
): Promise<void> {
  if (!progress.lines.has(session.id)) {
    sink.begin(session)
    progress.lines.set(session.id, 0)
  }
  await readLog(await api.connection(), api.data, session.id, {
    next: () => progress.lines.get(session.id) ?? 0,
    take(text, count) {
      heard()
      const first = progress.lines.get(session.id) ?? 0
      progress.lines.set(session.id, first + count)
      return sink.lines(text, first)
    },
    drained: sink.drained,
    note: sink.note,
  })
  sink.end()
  progress.finished.add(session.id)
}
