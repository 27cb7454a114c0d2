import { watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../process/clock.ts'

/** A writer makes several changes for one; reading begins when it has paused this long. */
const QUIET_MS = 100

/** Notices changes in the `.beads` of working trees. It may miss some: whoever waits looks now and then by themselves. */
export class TrackerWatch {
  readonly #watchers = new Map<string, FSWatcher>()
  #wake = new AbortController()
  #seen = false

  /** From now on these folders and no other; one without `.beads` is tried again at the next call. */
  only(folders: readonly string[]): void {
    const wanted = new Set(folders)
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#watch(folder)
  }

  /** Until something happens, at most `ms`. */
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
      const watcher = watch(join(folder, '.beads'), { persistent: false }, () => {
        this.#seen = true
        this.#wake.abort()
      })
      watcher.on('error', () => forget(watcher))
      this.#watchers.set(folder, watcher)
    } catch {
      // No folder, no rights, no watches left: polling sees it.
    }
  }
}
