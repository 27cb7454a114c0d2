import type { Bead } from '@beadloom/core/bead/bead.ts'
import type { BeadId, ProjectId } from '@beadloom/core/ids.ts'
import { withoutOthers } from '@beadloom/core/dispatch/why-not.ts'
import { sameReason, type Reason } from '@beadloom/core/dispatch/reason.ts'
import { readySet } from '@beadloom/core/bead/ready.ts'
import type { DispatchFeed } from './dispatch-feed.ts'
import type { LiveIndex } from './live-index.ts'

/** The reasons of the scheduler's last plan, and which beads are ready: kept because every card shows it. */
export class PlanMemory {
  #index: LiveIndex
  /** Some projects are not for everybody, and a card is one for all. */
  readonly #namesOthers: boolean
  readonly #reasons = new Map<ProjectId, Map<BeadId, Reason>>()
  #ready = new Map<ProjectId, { version: number; at: number; ids: ReadonlySet<BeadId> }>()

  constructor(index: LiveIndex, namesOthers = true) {
    this.#index = index
    this.#namesOthers = namesOthers
  }

  reason(project: ProjectId, bead: BeadId): Reason | null {
    return this.#reasons.get(project)?.get(bead) ?? null
  }

  /** Ids of ready beads; computed once for each change of the project's beads, and each minute because of defer dates. */
  ready(project: ProjectId, now: number): ReadonlySet<BeadId> {
    const version = this.#index.version(project)
    const known = this.#ready.get(project)
    if (known && known.version === version && Math.abs(now - known.at) < 60_000) return known.ids
    const beads: Bead[] = [...this.#index.beads(project).values()]
    const ids = new Set(readySet(beads, now).map((bead) => bead.id))
    this.#ready.set(project, { version, at: now, ids })
    return ids
  }

  /** After a plan: takes what it says that the one before did not, and returns the beads whose reason has changed. */
  learn(feed: Pick<DispatchFeed, 'takeNews' | 'why'>): { project: ProjectId; beads: BeadId[] }[] {
    const { beads: changed, anew } = feed.takeNews()
    return [...new Set([...anew, ...changed.keys()])].flatMap((project) => {
      const reasons = this.#reasons.get(project) ?? new Map<BeadId, Reason>()
      const former = anew.has(project) ? reasons.keys() : []
      const beads = [...new Set([...former, ...(changed.get(project) ?? [])])].filter((bead) => {
        const why = feed.why(project, bead)
        const reason = why === null || this.#namesOthers ? why : withoutOthers(why)
        if (sameReason(reason, reasons.get(bead))) return false
        if (reason === null) reasons.delete(bead)
        else reasons.set(bead, reason)
        return true
      })
      if (reasons.size > 0) this.#reasons.set(project, reasons)
      else this.#reasons.delete(project)
      return beads.length > 0 ? [{ project, beads }] : []
    })
  }
}
