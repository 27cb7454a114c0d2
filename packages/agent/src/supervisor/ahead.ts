import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import type { Clock } from '../process/clock.ts'
import { startWaiting } from './processes/start-process.ts'
import type { Streams } from './spool/read-records.ts'
import { SessionSpool } from './spool/session-spool.ts'
import { StreamFile } from './spool/stream-file.ts'

/** The process of a session that nobody has ordered yet: it is loaded, writes into files of its own, and waits. */
export class Ahead {
  readonly child: ChildProcess
  readonly #command: Omit<SessionStart, 'sessionOrder'>
  readonly #streams: Streams
  readonly #gate: Writable
  /** Its files belong to a spool. */
  #isHandedOver = false

  private constructor(
    { argv, env, cwd }: SessionStart,
    streams: Streams,
    { child, gate }: { child: ChildProcess; gate: Writable },
  ) {
    this.child = child
    this.#command = { argv, env, cwd }
    this.#streams = streams
    this.#gate = gate
    gate.on('error', () => {}) // its end says more
  }

  /** The folder exists and is empty. Throws when there is no room for the files, or nothing to start. */
  static start(folder: string, order: SessionStart, env: NodeJS.ProcessEnv): Ahead {
    const opened: StreamFile[] = []
    const kept = (file: StreamFile): StreamFile => (opened.push(file), file)
    try {
      const stdout = kept(StreamFile.create(join(folder, 'stdout')))
      const stderr = kept(StreamFile.create(join(folder, 'stderr')))
      const begun = startWaiting(order, env, { stdout: stdout.writer!, stderr: stderr.writer! })
      if (begun instanceof Error) throw begun
      return new Ahead(order, { stdout, stderr }, begun)
    } catch (error) {
      for (const file of opened) file.close()
      throw error
    }
  }

  /** Whether it still waits, and for this. */
  isFor({ argv, env, cwd }: SessionStart): boolean {
    const { pid, exitCode, signalCode } = this.child
    return (
      pid !== undefined &&
      exitCode === null &&
      signalCode === null &&
      isDeepStrictEqual({ argv, env, cwd }, this.#command)
    )
  }

  /** Its folder was moved here. Throws when the disk has no room. */
  spoolIn(folder: string, clock: Clock): SessionSpool {
    this.#isHandedOver = true
    for (const name of ['stdout', 'stderr'] as const) this.#streams[name].path = join(folder, name)
    return SessionSpool.create(folder, clock, this.#streams)
  }

  begin(sessionOrder = ''): void {
    this.#gate.end(`1${sessionOrder}`)
  }

  /** Call it when nobody takes it: its process ends, and its files are closed. */
  end(): void {
    this.child.kill('SIGKILL')
    this.#gate.destroy()
    if (this.#isHandedOver) return
    this.#streams.stdout.close()
    this.#streams.stderr.close()
  }
}
