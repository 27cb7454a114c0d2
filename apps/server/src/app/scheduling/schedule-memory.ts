import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { withoutOthers } from '@beadloom/core/dispatch/why-not.ts'
import { canStart, sameReason, type Reason } from '@beadloom/core/dispatch/reason.ts'
import { LiveRows, type RowCounts } from '@beadloom/core/dispatch/live/live-rows.ts'
import type { DispatchFeed } from './dispatch-feed.ts'
import type { LiveIndex } from './live-index.ts'

/** The reasons of the last schedule, and the ready beads: in memory because every card shows them. */
export class ScheduleMemory {
  #index: LiveIndex
  /** Whether reasons may name other projects. Some people may not see those, and all get the same card. */
  readonly #namesOthers: boolean
  readonly #reasons = new Map<ProjectId, Map<BeadId, Reason>>()
  readonly #rows = new Map<ProjectId, LiveRows>()

  constructor(index: LiveIndex, namesOthers = true) {
    this.#index = index
    this.#namesOthers = namesOthers
    index.tell({
      all: () => this.#begin(),
      project: (id) => this.#beginProject(id),
      bead: (project, id) => {
        const rows = this.#rows.get(project)
        const bead = index.beads(project).get(id)
        if (bead) rows?.set(bead)
        else rows?.remove(id)
      },
      execution: () => {}, // its bead is told, too
    })
    this.#begin()
  }

  reason(project: ProjectId, bead: BeadId): Reason | null {
    return this.#reasons.get(project)?.get(bead) ?? null
  }

  isReady(project: ProjectId, bead: BeadId, now: number): boolean {
    return this.#rows.get(project)?.isReady(bead, now, this.#mayStartIn(project)) ?? false
  }

  /** The board's counts: ready beads would start by a press of Run, and wait for nobody and no slot yet. */
  counts(project: ProjectId, now: number): RowCounts {
    const rows = this.#rows.get(project) ?? new LiveRows()
    return rows.counts(now, this.#mayStartIn(project))
  }

  /** After a schedule: takes over the differences from the schedule before, and returns the beads whose reason has changed. */
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
        this.#rows.get(project)?.touch(bead)
        return true
      })
      if (reasons.size > 0) this.#reasons.set(project, reasons)
      else this.#reasons.delete(project)
      return beads.length > 0 ? [{ project, beads }] : []
    })
  }

  #begin(): void {
    this.#rows.clear()
    for (const id of this.#index.projectIds()) this.#beginProject(id)
  }

  #beginProject(id: ProjectId): void {
    this.#rows.delete(id)
    if (!this.#index.projectIds().includes(id)) return
    const rows = new LiveRows()
    for (const bead of this.#index.beads(id).values()) rows.set(bead)
    this.#rows.set(id, rows)
  }

  #mayStartIn(project: ProjectId): (bead: BeadId) => boolean {
    return (bead) => !this.#index.isLive(project, bead) && canStart(this.reason(project, bead))
  }
}
