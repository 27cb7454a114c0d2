import type { AddingView } from '@beadloom/core/api/adding-api.ts'
import type { ProjectId } from '@beadloom/core/ids.ts'
import { Problem, type AddingApi } from '../../http/ports.ts'
import type { WatchTransfer } from '../../ports/hub.ts'
import type { Clock } from '../../process/clock.ts'

type Held = { view: AddingView; cancel: AbortController }

/** What the work of adding one has of this: when to end, and whom to tell. */
export type AddingWork = { signal: AbortSignal; watch: WatchTransfer }

/** Somebody does not want it any more. */
export class AddingCancelled extends Error {
  override name = 'AddingCancelled'
}

/** Projects that are being added: a large repository takes minutes until it is one. Only in memory, as the fetch itself is. */
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

  /** Rejects with `AddingCancelled` where it was cancelled, whatever the work makes of that. */
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
    const held = { view, cancel }
    this.#held.set(project, held)
    try {
      return await work({ signal: cancel.signal, watch: (seen) => void Object.assign(view, seen) })
    } catch (error) {
      throw cancel.signal.aborted ? new AddingCancelled(`${project} is no longer added`) : error
    } finally {
      this.#held.delete(project)
    }
  }

  /** False: no such project is being added. */
  cancel(project: ProjectId): boolean {
    const held = this.#held.get(project)
    held?.cancel.abort(new AddingCancelled(`${project} is no longer added`))
    return held !== undefined
  }
}

export const addingApi = (adding: Adding): AddingApi => ({
  list: () => ({ items: adding.list() }),
  cancel: (project) =>
    adding.cancel(project) ? undefined : new Problem(404, 'not_found', `no project ${project} is being added`),
})
