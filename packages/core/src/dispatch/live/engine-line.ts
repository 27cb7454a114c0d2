import type { ProjectId } from '../../records/ids.ts'
import type { Sharing } from '../dispatch-snapshot.ts'
import { comesFirst, handOut, isActive, placeOf, shareOf, tierOf, type Place, type Share } from '../shares.ts'
import type { Turn } from '../turns.ts'
import { KeyedHeap } from './keyed-heap.ts'
import type { Candidate } from './candidate.ts'
import type { ProjectLines } from './project-lines.ts'
import { TurnBook } from './turn-book.ts'

/**
 * The projects of one engine, in the order in which they get its free slots. A marked project is looked at again; all
 * are when shares change because projects or slots were added or removed.
 */
export class EngineLine {
  readonly #projects = new Set<ProjectLines>()
  readonly #marked = new Set<ProjectLines>()
  /** Active projects, with the weight that was counted. */
  readonly #active = new Map<ProjectLines, number>()
  readonly #line = new KeyedHeap<unknown, Place<Candidate>>(({ claimant }) => claimant, comesFirst)
  readonly #book = new TurnBook()
  /** Projects with starts in the last schedule. */
  #taken: readonly ProjectLines[] = []
  #weights = 0
  #slots = 0
  #shares = new Map<number, Share>()
  /** The sharing of the last schedule. */
  sharing: Sharing | null = null

  get size(): number {
    return this.#projects.size
  }

  get turns(): Map<ProjectId, Turn> {
    return this.#book.all()
  }

  add(project: ProjectLines): void {
    this.#projects.add(project)
    this.#marked.add(project)
  }

  remove(project: ProjectLines): void {
    this.#projects.delete(project)
    this.#marked.add(project)
  }

  /** Its place may have changed. */
  mark(project: ProjectLines): void {
    this.#marked.add(project)
  }

  countStart(project: ProjectLines): void {
    this.#book.count(project.project, project.weight)
    this.#marked.add(project)
  }

  /** Call it on all engines before a schedule: a project with starts on one may be on another by now. */
  forgetTaken(): void {
    for (const project of this.#taken) project.forgetTaken()
    this.#taken = []
  }

  /**
   * @param used all slots in use on the engine
   * @param over filled with slots that projects have beyond their share while others wait for theirs
   * @returns the starts, first to last. They are in their lines again afterwards: the server decides whether they
   *   really start
   */
  share(slots: number, used: number, over: Map<ProjectId, number>, proving: readonly string[]): Candidate[] {
    this.#settle(slots)
    const free = Math.max(0, slots - used)
    const touched = new Set<ProjectLines>()
    const first = handOut(free, this.#line, (claimant) => {
      touched.add(claimant as ProjectLines)
      this.#queue(claimant as ProjectLines)
    })
    if (this.#line.peek()?.tier === 0) this.#addOver(over)
    this.sharing = {
      slots,
      used,
      free,
      first: first.map(({ id }) => id),
      weights: this.#weights,
      others: this.#active.size > 1,
      proving,
    }
    this.#taken = [...touched]
    for (const project of touched) {
      project.putBack()
      this.#queue(project)
    }
    return first
  }

  #settle(slots: number): void {
    const former = this.#weights
    const began: ProjectId[] = []
    const ceased: ProjectId[] = []
    for (const project of this.#marked) {
      const weight = this.#active.get(project)
      const isActiveNow = this.#projects.has(project) && isActive(project)
      if (weight !== undefined) this.#weights -= weight
      if (isActiveNow) this.#weights += project.weight
      if (isActiveNow) this.#active.set(project, project.weight)
      else this.#active.delete(project)
      if (isActiveNow !== (weight !== undefined)) (isActiveNow ? began : ceased).push(project.project)
    }
    this.#book.look(began, ceased)
    const isShared = slots !== this.#slots || this.#weights !== former
    this.#slots = slots
    if (isShared) this.#shares.clear()
    for (const project of this.#marked) {
      // A project that has left gets its turns from its new engine's book, and may have them already.
      if (this.#projects.has(project)) project.turns = this.#book.of(project.project)
      this.#queue(project)
    }
    this.#marked.clear()
    if (isShared) this.#shareAnew()
  }

  #queue(project: ProjectLines): void {
    const place = this.#active.has(project) ? placeOf<Candidate>(project, this.#shareOf(project.weight)) : null
    if (place === null) this.#line.delete(project)
    else this.#line.set(place)
  }

  #shareAnew(): void {
    const other = this.#line.all().flatMap((place) => {
      const tier = tierOf(place.used, this.#shareOf(place.claimant.weight))
      return tier === place.tier ? [] : [{ ...place, tier }]
    })
    for (const place of other) this.#line.set(place)
  }

  /** Cached: projects have few different weights. */
  #shareOf(weight: number): Share {
    const known = this.#shares.get(weight)
    if (known !== undefined) return known
    const share = shareOf(this.#slots, weight, this.#weights)
    this.#shares.set(weight, share)
    return share
  }

  #addOver(over: Map<ProjectId, number>): void {
    for (const { project, used, weight } of this.#active.keys()) {
      const { up } = this.#shareOf(weight)
      if (used > up) over.set(project, used - up)
    }
  }
}
