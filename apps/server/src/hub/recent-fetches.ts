import type { ProjectId } from '@beadloom/core/ids.ts'
import type { Fetched, HubProject } from '../ports/hub.ts'

type Recent = { asked: HubProject; began: number; fetched: Fetched }

/** The last fetch of each project that brought something, so that two that need the same do not both ask its remote. */
export class RecentFetches {
  readonly #recent = new Map<ProjectId, Recent>()

  /** `began`: by the clock that does not jump, before the remote was asked. */
  note(asked: HubProject, began: number, fetched: Fetched): void {
    this.#recent.set(asked.id, { asked, began, fetched })
  }

  /** What a fetch of the same branch brought that began later than this, or null. */
  since({ id, source, baseBranch }: HubProject, time: number): Fetched | null {
    const recent = this.#recent.get(id)
    const same = recent?.asked.source === source && recent.asked.baseBranch === baseBranch
    return same && recent.began > time ? recent.fetched : null
  }
}
