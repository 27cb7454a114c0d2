import { lstatSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../process/clock.ts'

/** A writer touches several files for one change; reading begins after this pause. */
const QUIET_MS = 100

/** Notices changes in the `.beads` of working trees. It may miss some, so callers also check now and then. */
export class TrackerWatch {
  readonly #watchers = new Map<string, FSWatcher>()
  #wake = new AbortController()
  #seen = false

  /** Watches these folders and no others; one without `.beads` is tried again at the next call. */
  only(folders: readonly string[]): void {
    const wanted = new Set(folders)
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#watch(folder)
  }

  /** Waits until something changes, at most `ms`. */
  async wait(clock: Clock, ms: number, stop: AbortSignal): Promise<void> {
    if (!this.#seen) await clock.sleep(ms, AbortSignal.any([this.#wake.signal, stop]))
    if (this.#seen) await clock.sleep(QUIET_MS, stop)
    this.#seen = false
    this.#wake = new AbortController()
  }

  close(): void {
    this.only([])
  }

  #watch(folder: string): void {
    const forget = (watcher: FSWatcher) => {
      watcher.close()
      if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder)
    }
    try {
      const beads = join(folder, '.beads')
      if (!lstatSync(beads).isDirectory()) return // a link is not followed
      const watcher = watch(beads, { persistent: false }, () => {
        this.#seen = true
        this.#wake.abort()
      })
      watcher.on('error', () => forget(watcher))
      this.#watchers.set(folder, watcher)
    } catch {
      // No folder, no permission or no watches left: polling notices changes.
    }
  }
}
