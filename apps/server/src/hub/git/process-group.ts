import type { ChildProcess } from 'node:child_process'
import type { Clock } from '../../process/clock.ts'

/** Between SIGTERM, on which git removes its temporary files and locks, and SIGKILL. */
const KILL_GRACE_MS = 5_000
/** A process that was killed is gone in milliseconds, unless it waits in the kernel. */
const STUCK_MS = 5_000

export type Ending = 'exited' | 'timed-out' | 'aborted'
export type Bounds = { clock: Clock; timeoutMs: number; signal?: AbortSignal | undefined }

/**
 * A git process with everything it started. It is ended as a whole when its time is up or its signal aborts: git's
 * helpers (`git-remote-https`, `index-pack`) are processes of their own, and outlive a git that is killed alone.
 */
export class ProcessGroup {
  readonly #child: ChildProcess
  readonly #clock: Clock
  /** Aborted once the process is gone: its number may belong to another one by then. */
  readonly #gone = new AbortController()
  #ending: Ending = 'exited'
  readonly #stuck = new AbortController()

  /** `child` was just started with `detached`, so its number is also that of its group. */
  constructor(child: ChildProcess, { clock, timeoutMs, signal }: Bounds) {
    this.#child = child
    this.#clock = clock
    const onAbort = () => this.end('aborted')
    const onGone = () => {
      this.#gone.abort()
      signal?.removeEventListener('abort', onAbort)
    }
    child.once('error', onGone) // it could not even start
    child.once('close', onGone)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    void clock.sleep(timeoutMs, this.#gone.signal).then(() => this.end('timed-out'))
  }

  /** Why it ended: by itself, or the first reason to stop it. */
  get ending(): Ending {
    return this.#ending
  }

  /** Aborted if even SIGKILL has not ended it: the kernel waits for a disk. It is left alone. */
  get stuck(): AbortSignal {
    return this.#stuck.signal
  }

  /** Does nothing when it is gone already. */
  end(why: Ending): void {
    if (this.#gone.signal.aborted) return
    if (this.#ending === 'exited') this.#ending = why
    this.#signal('SIGTERM')
    void this.#clock.sleep(KILL_GRACE_MS, this.#gone.signal).then(async () => {
      if (this.#gone.signal.aborted) return
      this.#signal('SIGKILL')
      await this.#clock.sleep(STUCK_MS, this.#gone.signal)
      if (!this.#gone.signal.aborted) this.#stuck.abort()
    })
    this.#child.stdin?.destroy()
    this.#child.stdout?.resume() // unread output must not keep the process from ending
  }

  #signal(name: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // ESRCH: it ended by itself just now
    }
  }
}
