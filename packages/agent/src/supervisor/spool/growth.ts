import { watch, type FSWatcher } from 'node:fs'
import type { Clock } from '../../process/clock.ts'

/** For what no event tells: another file system's limits, a full disk, an event that got lost. */
const TICK_MS = 1000
/** Where files cannot be watched: the user's inotify instances are used up, or the file system has no events. */
const BLIND_TICK_MS = 100

/** Tells when files grow, from the system's events, and now and then without any. */
export class Growth {
  #watchers: FSWatcher[] = []
  #over = new AbortController()
  #blind = false

  /** @param watchFile stands in for `fs.watch` */
  constructor(paths: readonly string[], grown: () => void, ticked: () => void, clock: Clock, watchFile = watch) {
    for (const path of paths) {
      try {
        const watcher = watchFile(path, { persistent: false }, grown)
        watcher.on('error', () => (this.#blind = true))
        this.#watchers.push(watcher)
      } catch {
        this.#blind = true
      }
    }
    void this.#tick(ticked, clock)
  }

  close(): void {
    this.#over.abort()
    for (const watcher of this.#watchers) watcher.close()
  }

  async #tick(ticked: () => void, clock: Clock): Promise<void> {
    while (!this.#over.signal.aborted) {
      await clock.sleep(this.#blind ? BLIND_TICK_MS : TICK_MS, this.#over.signal)
      if (!this.#over.signal.aborted) ticked()
    }
  }
}
