import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { SessionStart } from '@beadloom/core/supervisor/session-control.ts'
import { startWaiting } from './processes/start-process.ts'
import type { Streams } from './spool/read-records.ts'
import { StreamFile } from './spool/stream-file.ts'

/** Its folder, beside those of the sessions. No session can have this name. */
const FOLDER = '.ahead'

/**
 * The process of a session that is not ordered yet: it is loaded, writes into files of its own, and waits. The first
 * one starts before the rest of the supervisor is loaded, so this file imports little.
 */
export class Ahead {
  readonly child: ChildProcess
  /** The folder of its files, before a session takes them. */
  readonly folder: string
  readonly #command: string
  readonly #streams: Streams
  readonly #gate: Writable
  /** Its files belong to a spool. */
  #isHandedOver = false

  private constructor(
    folder: string,
    order: SessionStart,
    streams: Streams,
    { child, gate }: { child: ChildProcess; gate: Writable },
  ) {
    this.child = child
    this.folder = folder
    this.#command = commandOf(order)
    this.#streams = streams
    this.#gate = gate
    gate.on('error', () => {}) // its end says more
  }

  /** @param root the folder of all sessions. Throws when there is no room for its files, or nothing to start. */
  static start(root: string, order: SessionStart, env: NodeJS.ProcessEnv): Ahead {
    Ahead.clear(root)
    const folder = join(root, FOLDER)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const opened: StreamFile[] = []
    const kept = (file: StreamFile): StreamFile => (opened.push(file), file)
    try {
      const stdout = kept(StreamFile.create(join(folder, 'stdout')))
      const stderr = kept(StreamFile.create(join(folder, 'stderr')))
      const begun = startWaiting(order, env, { stdout: stdout.writer!, stderr: stderr.writer! })
      if (begun instanceof Error) throw begun
      return new Ahead(folder, order, { stdout, stderr }, begun)
    } catch (error) {
      for (const file of opened) file.close()
      throw error
    }
  }

  /** Removes what an earlier one has left. */
  static clear(root: string): void {
    rmSync(join(root, FOLDER), { recursive: true, force: true })
  }

  /** Whether it still waits, and for this order. */
  isFor(order: SessionStart): boolean {
    const { pid, exitCode, signalCode } = this.child
    return pid !== undefined && exitCode === null && signalCode === null && commandOf(order) === this.#command
  }

  /** Its files, for the spool of the session that takes it. Its folder was moved to `folder`. */
  handOver(folder: string): Streams {
    this.#isHandedOver = true
    for (const name of ['stdout', 'stderr'] as const) this.#streams[name].path = join(folder, name)
    return this.#streams
  }

  begin(sessionOrder = ''): void {
    this.#gate.end(`1${sessionOrder}`)
  }

  /** Call it if no session takes it: its process ends, and its files are closed. */
  end(): void {
    this.child.kill('SIGKILL')
    this.#gate.destroy()
    if (this.#isHandedOver) return
    this.#streams.stdout.close()
    this.#streams.stderr.close()
  }
}

/** Two orders with the same words start the same process. */
const commandOf = ({ argv, env, cwd }: SessionStart): string =>
  JSON.stringify([argv, Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1)), cwd])
