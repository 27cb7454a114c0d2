import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { HubProject } from '../ports/hub.ts'
import type { Clock } from '../process/clock.ts'
import { isLocal, SETTLED_MS } from './remote/local-state.ts'

/** Files' times may be that much behind the clock. */
const LATER_MS = 200

/**
 * Fetches our push to a repository on this machine again once its files have settled: then the next start sees that
 * nothing has changed there, and need not ask.
 */
export class SettledFetches {
  readonly #clock: Clock
  readonly #fetch: (project: HubProject) => Promise<unknown>
  readonly #waiting = new Map<ProjectId, AbortController>()
  #closed = false

  constructor(clock: Clock, fetch: (project: HubProject) => Promise<unknown>) {
    this.#clock = clock
    this.#fetch = fetch
  }

  /** Something of ours was pushed just now. A later push soon after counts instead. */
  pushed(project: HubProject): void {
    if (this.#closed || !isLocal(project.source)) return
    this.forget(project.id)
    const waiting = new AbortController()
    this.#waiting.set(project.id, waiting)
    void this.#clock.sleep(SETTLED_MS + LATER_MS, waiting.signal).then(() => {
      if (waiting.signal.aborted) return
      this.#waiting.delete(project.id)
      this.#fetch(project).catch(() => {}) // the next start asks for itself, and gets the error
    })
  }

  forget(project: ProjectId): void {
    this.#waiting.get(project)?.abort('not needed any more')
    this.#waiting.delete(project)
  }

  close(): void {
    this.#closed = true
    for (const project of this.#waiting.keys()) this.forget(project)
  }
}
