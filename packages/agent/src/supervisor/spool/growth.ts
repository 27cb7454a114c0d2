import { watch, type FSWatcher } from 'node:fs'
import { Pace } from '@beadloom/core/time/pace.ts'
import type { Clock } from '../../process/clock.ts'

/** Catches what no event reports: another file system's limits, a full disk, a lost event. */
const TICK_MS = 1000
/** Used if files cannot be watched: the user's inotify instances are used up, or the file system has no events. */
const BLIND_TICK_MS = 100
/**
 * An occasional line is seen at once. A program that writes thousands of lines a second is looked at in steps: a record
 * for each line would cost the supervisor, the link and the server more than the lines themselves.
 */
const LOOKS = { atOnce: 32, stepMs: 5 }

/** Reports when files grow, from the system's events, and now and then without any. */
export class Growth {
  #watchers: FSWatcher[] = []
  #over = new AbortController()
  #blind = false
  #clock: Clock
  #grown: () => void
  readonly #pace = new Pace(LOOKS)
  #waits = false

  /** @param watchFile replaces `fs.watch` in tests */
  constructor(paths: readonly string[], grown: () => void, ticked: () => void, clock: Clock, watchFile = watch) {
    this.#grown = grown
    this.#clock = clock
    for (const path of paths) {
      try {
        const watcher = watchFile(path, { persistent: false }, () => this.#event())
        watcher.on('error', () => (this.#blind = true))
        this.#watchers.push(watcher)
      } catch {
        this.#blind = true
      }
    }
    void this.#tick(ticked)
  }

  close(): void {
    this.#over.abort()
    for (const watcher of this.#watchers) watcher.close()
  }

  #event(): void {
    if (this.#waits) return
    const wait = this.#pace.wait(this.#clock.monotonic())
    if (wait <= 0) return this.#look()
    this.#waits = true
    void this.#clock.sleep(wait, this.#over.signal).then(() => {
      this.#waits = false
      if (!this.#over.signal.aborted) this.#look()
    })
  }

  #look(): void {
    this.#pace.took(this.#clock.monotonic())
    this.#grown()
  }

  async #tick(ticked: () => void): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#clock.sleep(this.#blind ? BLIND_TICK_MS : TICK_MS, this.#over.signal)
      if (!this.#over.signal.aborted) ticked()
    }
  }
}
