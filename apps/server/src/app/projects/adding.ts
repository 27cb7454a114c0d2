import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { WatchTransfer } from '../../ports/hub.ts'
import type { Clock } from '../../process/clock.ts'

type Held = { view: AddingView; cancel: AbortController; isKept: boolean }

/** The signal that ends the work of adding a project, and the callbacks that it uses. */
export type AddingWork = {
  signal: AbortSignal
  watch: WatchTransfer
  /** From now on it is a project, and is removed as one. */
  keep: () => void
}

/** A person has cancelled it. */
export class AddingCancelled extends Error {
  override name = 'AddingCancelled'
}

/** Projects that are being added: fetching a large repository takes minutes. Only in memory, like the fetch itself. */
export class Adding {
  readonly #clock: Pick<Clock, 'now'>
  readonly #held = new Map<ProjectId, Held>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  list(): AddingView[] {
    return [...this.#held.values()].map(({ view }) => ({ ...view }))
  }

  isAdding(project: ProjectId): boolean {
    return this.#held.has(project)
  }

  /** Rejects with `AddingCancelled` if it was cancelled, however the work ends. */
  async during<T>(project: ProjectId, source: string, work: (adding: AddingWork) => Promise<T>): Promise<T> {
    const cancel = new AbortController()
    const view: AddingView = {
      project,
      source,
      since: this.#clock.now(),
      doing: 'asking the repository',
      percent: null,
      bytes: null,
    }
    const held: Held = { view, cancel, isKept: false }
    this.#held.set(project, held)
    try {
      const watch: WatchTransfer = (seen) => void Object.assign(view, seen)
      return await work({ signal: cancel.signal, watch, keep: () => (held.isKept = true) })
    } catch (error) {
      throw cancel.signal.aborted ? new AddingCancelled(`${project} is no longer added`) : error
    } finally {
      this.#held.delete(project)
    }
  }

  cancel(project: ProjectId): 'cancelled' | 'too late' | 'unknown' {
    const held = this.#held.get(project)
    if (held === undefined) return 'unknown'
    if (held.isKept) return 'too late'
    held.cancel.abort(new AddingCancelled(`${project} is no longer added`))
    return 'cancelled'
  }
}
