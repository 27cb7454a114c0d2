import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Fetched, HubProject } from '../ports/hub.ts'

type Recent = { asked: HubProject; began: number; state: string | null; fetched: Fetched }

/** The last successful fetch of each project, so that two that need the same do not both ask its remote. */
export class RecentFetches {
  readonly #recent = new Map<ProjectId, Recent>()

  /**
   * `began`: before the remote was asked, by the clock that does not jump. `state`: the remote's visible state then, or
   * null.
   */
  note(asked: HubProject, began: number, state: string | null, fetched: Fetched): void {
    this.#recent.set(asked.id, { asked, began, state, fetched })
  }

  /** The result of a fetch of the same branch that began later than this, or null. */
  since(project: HubProject, time: number): Fetched | null {
    const recent = this.#of(project)
    return recent && recent.began > time ? recent.fetched : null
  }

  /** The result of a fetch of the same branch when the remote looked just like this, or null. */
  at(project: HubProject, state: string): Fetched | null {
    const recent = this.#of(project)
    return recent?.state === state ? recent.fetched : null
  }

  forget(project: ProjectId): void {
    this.#recent.delete(project)
  }

  #of({ id, source, baseBranch }: HubProject): Recent | null {
    const recent = this.#recent.get(id)
    return recent?.asked.source === source && recent.asked.baseBranch === baseBranch ? recent : null
  }
}
