import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import type { LogReader } from '../ports/logs.ts'
import type { Listener, Recorder } from '../ports/recorder.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import { unrecorded } from '../ports/store/sessions.ts'
import type { Clock } from '../process/clock.ts'
import { AgentFile } from './files/agent-file.ts'
import { describeNote } from './describe-event.ts'
import { defaultBounds } from './bounds.ts'
import type { RecorderBounds } from './bounds.ts'
import { LogFile } from './files/log-file.ts'
import { logPaths } from './files/log-paths.ts'
import { createLogReader } from './log-reader.ts'
import { OpenLogs } from './open-logs.ts'
import { Recording } from './record-session.ts'
import { recoverLogs } from './recover-logs.ts'
import { finishRemovals, removeLogs, removeWithLogs } from './removals.ts'
import { SessionLog } from './session-log.ts'

const LOOK_FOR_ROOM_MS = 1_000

export type RecorderStore = Pick<PatientStore, 'commitRecord' | 'checkpoint' | 'session'>

export type RecorderDeps = {
  /** Created if necessary; nothing else writes to it. */
  folder: string
  store: RecorderStore
  clock: Clock
  bounds?: Partial<RecorderBounds>
  /** Called with errors that no caller awaits: a listener that throws, a note that could not be written. */
  report?: (error: unknown) => void
}

export type RecorderParts = {
  recorder: Recorder
  logs: LogReader
  /** Call it once, before anything is recorded: cuts every log back to its checkpoint, and completes removals. */
  recoverLogs: () => Promise<void>
  /** Removes the logs of an execution that no longer exists, with their folder. */
  removeLogs: (execution: ExecutionId) => Promise<void>
  /** Calls `remove`, which takes a project out of the store, and then removes the logs of its executions. */
  removeWithLogs: (project: ProjectId, executions: readonly ExecutionId[], remove: () => Promise<void>) => Promise<void>
  /** Resolves when every note is written; for a shutdown and for tests. */
  idle: () => Promise<void>
}

/** The one writer and the one reader of session logs in `folder`. */
export function createRecorder(deps: RecorderDeps): RecorderParts {
  const { folder, store, clock } = deps
  const bounds = { ...defaultBounds, ...deps.bounds }
  const report = deps.report ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)))
  const news = new GrowthNews(report)
  const open = new OpenLogs(async (session) => {
    const start = store.checkpoint(session) ?? unrecorded
    const file = await LogFile.open(logPaths(folder, session), bounds, start, report, roomWaiter(clock, report))
    return new SessionLog(session, file, start, { store, clock, bounds, report, grown: news.grown })
  })

  const record: Recorder['record'] = async (session, frames, hear, letGo) => {
    const log = await open.take(session)
    const own = log.complete ? null : new AgentFile(logPaths(folder, session).agent, bounds.agentBytes, report)
    const recording = new Recording(log, hear, { clock, bounds, report, agentLines: own })
    try {
      await readAll(frames, recording, [log, ...(own ? [own] : [])], { breatheBytes: bounds.batchBytes, hear })
      if (letGo?.aborted) throw new Error(`the record of session ${session} was let go`)
      log.complete = true
    } finally {
      log.letGo = letGo?.aborted === true
      if (!log.letGo) recording.end() // output so far is kept, even after an error
      await hear.whileOurs(async () => {
        await open.giveBack(session).closed
        await own?.close()
      })
    }
    const { logBytes, logLines } = log.committed
    return { lines: logLines, bytes: logBytes, droppedBytes: log.droppedBytes, ...recording.outcome() }
  }

  const writeNote = async (session: SessionId, text: string): Promise<void> => {
    const log = await open.take(session)
    try {
      log.text(describeNote(text))
      await log.makeRoom()
    } finally {
      const { last, closed } = open.giveBack(session)
      if (last) await closed // otherwise the recording commits it
    }
  }

  const notes = new Set<Promise<void>>()
  const note = (session: SessionId, text: string): void => {
    const written = writeNote(session, text)
      .catch(report)
      .finally(() => notes.delete(written))
    notes.add(written)
  }

  return {
    recorder: { record, note },
    logs: createLogReader({ folder, store, live: (session) => open.get(session), onGrow: news.onGrow, report }),
    recoverLogs: async () => {
      await finishRemovals(folder, store)
      await recoverLogs(folder, store)
    },
    removeLogs: (execution) => removeLogs(folder, execution),
    removeWithLogs: (project, executions, remove) => removeWithLogs(folder, project, executions, remove),
    idle: async () => {
      await Promise.all(notes)
    },
  }
}

/** On a full disk, the output waits until there is room, and no session stops. Reported once for each log. */
function roomWaiter(clock: Clock, report: (error: unknown) => void): (error: unknown) => Promise<void> {
  let told = false
  return async (error) => {
    if (!told) report(new Error('the disk is full: a log waits until there is room', { cause: error }))
    told = true
    await clock.sleep(LOOK_FOR_ROOM_MS)
  }
}

async function readAll(
  frames: AsyncIterable<OutputFrame>,
  recording: Recording,
  written: readonly { makeRoom(): Promise<void> | null }[],
  { breatheBytes, hear }: { breatheBytes: number; hear: Listener },
): Promise<void> {
  let unread = 0
  for await (const frame of frames) {
    recording.take(frame)
    for (const one of written) {
      const room = one.makeRoom()
      if (room) await hear.whileOurs(() => room)
    }
    const room = hear.room?.()
    if (room) await hear.whileOurs(() => room)
    unread += frame.bytes.length
    if (unread < breatheBytes) continue
    unread = 0
    await nextTurn() // a flood of input must not block the rest of the server
  }
}

/** Tells listeners which logs have grown, at most once for each log in a turn of the event loop. */
class GrowthNews {
  readonly #listeners = new Set<(session: SessionId) => void>()
  readonly #report: (error: unknown) => void
  #grown = new Set<SessionId>()

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  readonly onGrow = (listener: (session: SessionId) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly grown = (session: SessionId): void => {
    if (this.#grown.size === 0) setImmediate(() => this.#tell())
    this.#grown.add(session)
  }

  #tell(): void {
    const grown = this.#grown
    this.#grown = new Set()
    for (const session of grown)
      for (const listener of this.#listeners) {
        try {
          listener(session)
        } catch (error) {
          this.#report(error)
        }
      }
  }
}
