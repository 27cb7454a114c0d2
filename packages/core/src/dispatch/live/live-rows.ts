import { beadStatuses, type ListedBead, type BeadStatus } from '../../records/bead.ts'
import { isInside, originOf } from '../../bead/inside.ts'
import { deferredUntil, hiddenOnBoard, isReady } from '../../bead/ready.ts'
import type { BeadId } from '../../records/ids.ts'
import { Heap } from '../heap.ts'
import { add, drop, pointingTo, type Edges } from './edges.ts'
import { LiveWaiting } from './live-waiting.ts'
import { Numbers } from './numbers.ts'

/** The number of rows that a board has in each status, and of those that a press of Run would start. */
export type RowCounts = Record<BeadStatus, number> & { ready: number }

/**
 * A number encodes how a bead is counted: these bits, plus `STATUS` times the place of its status, from 1 (0: no row).
 */
const READY = 1
const STARTS = 2
const STATUS = 4

/**
 * The ready beads of a project (as in `readySet`), and the number of rows of its board. The cost depends only on the
 * changes since the last call. It is changed in place and belongs to one owner.
 */
export class LiveRows {
  readonly #touched = new Set<number>()
  readonly #waiting = new LiveWaiting((at) => void this.#touched.add(at))
  /** The way in which each bead was counted, by position. */
  readonly #counted = new Numbers()
  /** Follow-ups, by the bead that they were filed for. */
  readonly #filed: Edges = new Map()
  readonly #due = new Heap<{ time: number; id: BeadId }>((a, b) => a.time - b.time)
  readonly #counts: RowCounts = { open: 0, in_progress: 0, blocked: 0, timeout: 0, done: 0, ready: 0 }
  #now = -Infinity
  /** The number of beads looked at so far: a measure of the cost. */
  looks = 0

  set(bead: ListedBead): void {
    const former = this.#waiting.beadAt(this.#waiting.positionOf(bead.id))
    this.#waiting.set(bead)
    const at = this.#waiting.positionOf(bead.id)
    if (former?.filedFor !== bead.filedFor) {
      if (former?.filedFor !== undefined) drop(this.#filed, former.filedFor, at)
      if (bead.filedFor !== undefined) add(this.#filed, bead.filedFor, at)
    }
    this.#touchFiled(bead.id)
  }

  remove(id: BeadId): void {
    const at = this.#waiting.positionOf(id)
    const former = this.#waiting.beadAt(at)
    if (former?.filedFor !== undefined) drop(this.#filed, former.filedFor, at)
    this.#waiting.remove(id)
    this.#touchFiled(id)
  }

  /** Whether it may start has changed, for reasons outside of this class. */
  touch(id: BeadId): void {
    const at = this.#waiting.positionOf(id)
    if (at >= 0) this.#touched.add(at)
  }

  /** @param mayStart nobody works on it, and it waits for nothing except its turn */
  isReady(id: BeadId, now: number, mayStart: (id: BeadId) => boolean): boolean {
    this.#look(now, mayStart)
    return (this.#counted.get(this.#waiting.positionOf(id)) & READY) !== 0
  }

  counts(now: number, mayStart: (id: BeadId) => boolean): RowCounts {
    this.#look(now, mayStart)
    return { ...this.#counts }
  }

  #touchFiled(id: BeadId): void {
    for (const at of pointingTo(this.#filed, id)) this.#touched.add(at)
  }

  #look(now: number, mayStart: (id: BeadId) => boolean): void {
    // After a clock was set back, beads may be deferred again.
    if (now < this.#now) for (const at of this.#waiting.positions()) this.#touched.add(at)
    this.#now = now
    for (let due = this.#due.peek(); due !== undefined && due.time <= now; due = this.#due.peek()) {
      this.#due.pop()
      this.touch(due.id)
    }
    this.#waiting.tellOthers()
    for (const at of this.#touched) this.#lookAt(at, now, mayStart)
    this.#touched.clear()
  }

  #lookAt(at: number, now: number, mayStart: (id: BeadId) => boolean): void {
    this.looks += 1
    this.#count(this.#counted.get(at), -1)
    const bead = this.#waiting.beadAt(at)
    const found = bead === undefined ? 0 : this.#placeOf(bead, at, now, mayStart)
    this.#counted.set(at, found)
    this.#count(found, 1)
  }

  #placeOf(bead: ListedBead, at: number, now: number, mayStart: (id: BeadId) => boolean): number {
    const { target } = this.#waiting
    const ready = isReady(bead, at, this.#waiting, now)
    const until = ready ? null : deferredUntil(bead, this.#waiting, now)
    if (until !== null) this.#due.push({ time: until, id: bead.id })
    const isRow = !hiddenOnBoard(bead) && !isInside(bead, originOf(bead, target))
    const status = isRow ? STATUS * (1 + beadStatuses.indexOf(bead.status)) : 0
    return status + (ready ? READY : 0) + (ready && isRow && mayStart(bead.id) ? STARTS : 0)
  }

  #count(place: number, by: 1 | -1): void {
    const status = beadStatuses[Math.floor(place / STATUS) - 1]
    if (status !== undefined) this.#counts[status] += by
    if ((place & STARTS) !== 0) this.#counts.ready += by
  }
}
