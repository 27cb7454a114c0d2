import type { ChildProcess } from 'node:child_process'
import type { SessionStart, SessionView } from '@beadloom/core/supervisor/session-control.ts'
import type { SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import type { Clock } from '../process/clock.ts'
import { endAll } from './processes/end-all.ts'
import { endYounger } from './processes/end-younger.ts'
import type { ProcessTable } from './processes/process-table.ts'
import { NotStarted } from './processes/session-command.ts'
import { startProcess } from './processes/start-process.ts'
import { stopAll } from './processes/stop-all.ts'
import { emptyFolder } from './empty-folder.ts'
import { DiskRoom } from './spool/disk-room.ts'
import { Growth } from './spool/growth.ts'
import type { SessionSpool } from './spool/session-spool.ts'
import { SpoolBound } from './spool/spool-bound.ts'

export type SessionDeps = {
  clock: Clock
  table: ProcessTable
  memoryKills: () => number | null
  /** The environment of every session; the order's variables override it. */
  env: Readonly<Record<string, string | undefined>>
  /** A folder that is emptied after each session, as if its container were new; null: none. */
  scratch: string | null
  /** Bytes of a spool on the disk at which its session is stopped until a server has stored them. */
  spoolBytes: number
  /** Called when something that `view` shows has changed. */
  changed: () => void
}

type FirstEnd = Pick<SessionEnd, 'code' | 'signal' | 'detail'> & { started: boolean }

/** One session while it lives: a process, everything that it starts, and its spool. */
export class Session {
  readonly name: string
  readonly spool: SessionSpool
  /**
   * Resolves when all its processes are gone and its last record is numbered; `left`: processes that cannot be ended.
   */
  readonly ended: Promise<{ end: SessionEnd; left: number }>
  #deps: SessionDeps
  #child: ChildProcess | null
  #bound: SpoolBound
  #startedAt: number
  #memoryKills: number | null
  #stopping = false
  #killed = false

  /** @param ahead its process, if that was started already */
  constructor(name: string, order: SessionStart, spool: SessionSpool, deps: SessionDeps, ahead?: ChildProcess) {
    this.name = name
    this.spool = spool
    this.#deps = deps
    this.#startedAt = deps.clock.now()
    this.#memoryKills = deps.memoryKills()
    this.#bound = new SpoolBound(
      {
        spool,
        clock: deps.clock,
        stopAll: (signal) => stopAll(deps.table, deps.clock, signal),
        overflow: () => void this.stop(0),
        changed: deps.changed,
      },
      deps.spoolBytes,
    )
    const started = ahead ?? startProcess(order, deps.env, spool.writers)
    this.#child = started instanceof Error ? null : started
    this.ended = this.#live(started)
  }

  view(): SessionView {
    const { name: session, spool } = this
    const pid = this.#child?.pid ?? 0
    return { state: 'running', session, startedAt: this.#startedAt, pid, held: this.#bound.held, spool: spool.offsets }
  }

  /**
   * Sends SIGTERM to the first process, waits `graceMs`, then sends SIGKILL to everything. A later call can only
   * shorten the grace.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#child?.kill('SIGTERM')
    const over = new AbortController()
    void this.ended.then(() => over.abort())
    await this.#deps.clock.sleep(graceMs, over.signal)
    if (over.signal.aborted) return
    this.#killed = true
    this.#child?.kill('SIGKILL')
    await this.ended
  }

  /** Resolves with the number of ended processes. */
  async interrupt(youngerMs: number): Promise<number> {
    const { table, clock } = this.#deps
    return endYounger(table, clock, { youngerMs, spared: this.#child?.pid })
  }

  async #live(started: ChildProcess | Error): Promise<{ end: SessionEnd; left: number }> {
    const { spool, clock, table } = { spool: this.spool, ...this.#deps }
    const disk = new DiskRoom(spool.folder)
    const look = (): void => {
      spool.look()
      this.#bound.check()
    }
    const tick = (): void => {
      const change = disk.look()
      if (change) spool.note({ note: change })
      look()
    }
    const growth = new Growth(spool.paths, look, tick, clock)
    const first = started instanceof Error ? failedStart(started) : await exitOf(started)
    const { killed, left } = await endAll(table, clock)
    if (this.#deps.scratch !== null) emptyFolder(this.#deps.scratch)
    this.#bound.close()
    growth.close()
    const end: SessionEnd = {
      how: !first.started ? 'not-started' : this.#stopping ? 'stopped' : 'exited',
      code: first.code,
      signal: first.signal,
      killed: this.#killed && first.signal === 'SIGKILL',
      memoryKills: since(this.#memoryKills, this.#deps.memoryKills()),
      leftBehind: killed,
      startedAt: this.#startedAt,
      finishedAt: clock.now(),
      detail: first.detail.slice(0, 1000),
    }
    spool.end(end)
    return { end, left }
  }
}

function exitOf(child: ChildProcess): Promise<FirstEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(failedStart(error)) // a failed kill has a pid, and an exit of its own
    })
    child.once('exit', (code, signal) => resolve({ started: true, code, signal, detail: '' }))
  })
}

function failedStart(error: Error): FirstEnd {
  const code = error instanceof NotStarted ? error.code : 126
  return { started: false, code, signal: null, detail: error.message }
}

const since = (before: number | null, now: number | null): number | null =>
  before === null || now === null ? null : Math.max(0, now - before)
