import type { ListedBead, BeadDependency } from '../../records/bead.ts'
import { isExternal, isMissingOutside } from '../../bead/external.ts'
import {
  anyChildWillDo,
  hasEnded,
  mayHoldBack,
  openKids,
  blockedByKids,
  type Blockers,
  type OpenKids,
  type Waiting,
} from '../../bead/waiting.ts'
import { Bytes } from './bytes.ts'
import {
  add,
  count,
  drop,
  isBlocking,
  isKnown,
  isOpen,
  isWaitedFor,
  parentIds,
  pointingTo,
  sameEdges,
  type Edges,
  type Kids,
} from './edges.ts'
import { Numbers } from './numbers.ts'

/**
 * `indexWaiting` for beads that change one by one: the same answers, at a cost that depends only on the changes. It has
 * one owner and is changed in place. A bead keeps its position as long as it exists.
 */
export class LiveWaiting implements Waiting {
  readonly #touched: (at: number) => void
  readonly #beads: (ListedBead | undefined)[] = []
  readonly #positions = new Map<string, number>()
  readonly #free: number[] = []
  /** The id of the bead that is being removed: its position has no bead any more. */
  #leaving = ''
  /** Grows with each new bead: the order of arrival, as in a list. */
  readonly #serials = new Numbers()
  #serial = 0
  readonly #blocks: Edges = new Map()
  readonly #fanIns: Edges = new Map()
  readonly #reminders: Edges = new Map()
  readonly #kids = new Map<string, Kids>()
  /** Parents whose children changed without a change in who is held back. */
  readonly #otherKids = new Set<string>()
  /**
   * The number of beads that hold it back by `blocks` and the like, plus one if a capability of another project is
   * missing.
   */
  readonly #holders = new Numbers()
  readonly #waitsForKids = new Bytes()
  readonly #blocked = new Bytes()

  /** @param touched called for each bead with a possible change, once or more often */
  constructor(touched: (at: number) => void) {
    this.#touched = touched
  }

  get size(): number {
    return this.#positions.size
  }

  positionOf(id: string): number {
    return this.#positions.get(id) ?? -1
  }

  beadAt(at: number): ListedBead | undefined {
    return this.#beads[at]
  }

  positions(): Iterable<number> {
    return this.#positions.values()
  }

  /** In no order. */
  childrenOf(id: string): Iterable<number> {
    return this.#kids.get(id)?.all ?? []
  }

  /** An arrow function, because others call it without its object. */
  readonly target = (edge: BeadDependency): ListedBead | undefined => {
    const bead = this.#beads[this.positionOf(edge.dependsOn)]
    return isKnown(bead) ? bead : undefined
  }

  isBlocked(at: number): boolean {
    return this.#blocked.has(at)
  }

  set(bead: ListedBead): void {
    const at = this.#positions.get(bead.id) ?? this.#place(bead.id)
    this.#change(at, bead.id, bead)
  }

  remove(id: string): void {
    const at = this.#positions.get(id)
    if (at === undefined) return
    this.#leaving = id
    this.#change(at, id, undefined)
    this.#positions.delete(id)
    this.#free.push(at)
  }

  /**
   * Reports the beads that wait for children of a parent whose open children are different now. It is called only
   * before new answers, because many children of one parent may change, and many beads may wait for them.
   */
  tellOthers(): void {
    for (const parent of this.#otherKids)
      for (const other of pointingTo(this.#fanIns, parent)) this.#tell(other, this.#isHeld(other))
    this.#otherKids.clear()
  }

  blockersOf(start: number): Blockers | null {
    if (!this.isBlocked(start)) return null
    const at = this.#sourceOf(start)
    const bead = this.#beads[at]
    if (bead === undefined) return null
    const through = at === start ? null : bead.id
    const direct = bead.dependencies.filter(
      (edge) =>
        waitsOutside(edge) || (isBlocking(edge) && this.#isWaitedFor(edge.dependsOn)) || this.#lacksParent(edge),
    )
    if (direct.length > 0)
      return { kind: 'beads', beads: [...new Set(direct.map(({ dependsOn }) => dependsOn))], through }
    const kids = bead.dependencies.flatMap((edge) =>
      this.#holdsByKids(edge) ? [this.#openKidsOf(edge.dependsOn)] : [],
    )
    return blockedByKids(kids, through)
  }

  /** The nearest ancestor that is held back by itself, the oldest of several. */
  #sourceOf(start: number): number {
    const seen = new Set([start])
    for (let level = [start]; level.length > 0;) {
      const sources = level.filter((at) => this.#isHeld(at))
      if (sources.length > 0) return sources.reduce((a, b) => (this.#serialOf(a) <= this.#serialOf(b) ? a : b))
      const above = level.flatMap((at) => this.#parentsOf(at).filter((parent) => this.isBlocked(parent)))
      level = [...new Set(above)].filter((at) => !seen.has(at))
      for (const at of level) seen.add(at)
    }
    return start
  }

  #place(id: string): number {
    const at = this.#free.pop() ?? this.#beads.length
    this.#beads[at] = undefined
    this.#positions.set(id, at)
    this.#serials.set(at, ++this.#serial)
    this.#holders.set(at, 0)
    return at
  }

  #change(at: number, id: string, bead: ListedBead | undefined): void {
    const before = this.#beads[at]
    const [wasOpen, isOpenNow] = [isOpen(before), isOpen(bead)]
    const edges = !sameEdges(before, bead)
    const asKid = edges || before?.status !== bead?.status || wasOpen !== isOpenNow
    const parents = asKid ? [...new Set([...parentIds(before), ...parentIds(bead)])] : []
    const were = parents.map((parent) => this.#holdersIn(parent))
    if (asKid) this.#countKid(at, before, bead)
    if (edges) this.#unlink(at, before)
    this.#beads[at] = bead
    const [held, holds] = [isWaitedFor(before), isWaitedFor(bead)]
    const isFoundOrLost = isKnown(before) !== isKnown(bead)
    // Beads that wait for it are also reported when it becomes known or unknown.
    if (held !== holds || isFoundOrLost)
      for (const other of pointingTo(this.#blocks, id)) this.#addHolder(other, Number(holds) - Number(held))
    if (edges) this.#link(at, bead)
    this.#touched(at)
    if (edges || wasOpen !== isOpenNow) this.#hold(at)
    if (isFoundOrLost) for (const other of pointingTo(this.#fanIns, id)) this.#hold(other)
    parents.forEach((parent, n) => {
      if (this.#holdersIn(parent) === were[n]) this.#otherKids.add(parent)
      else for (const other of pointingTo(this.#fanIns, parent)) this.#hold(other)
    })
    this.#reblock(at, edges)
    this.#touchOthers(id, before, bead)
  }

  /** Reports the beads whose answers depend on more of this bead than whether it holds others back. */
  #touchOthers(id: string, before: ListedBead | undefined, bead: ListedBead | undefined): void {
    const isEpic = before?.type === 'epic' || bead?.type === 'epic'
    if (isEpic || before?.deferUntil !== bead?.deferUntil || isKnown(before) !== isKnown(bead))
      for (const child of this.childrenOf(id)) this.#touched(child)
    if (before?.trackerStatus !== bead?.trackerStatus || before?.status !== bead?.status)
      for (const other of pointingTo(this.#reminders, id)) this.#touched(other)
  }

  /** Updates the counts of its parents' children: removes its former state and adds the new one. */
  #countKid(at: number, before: ListedBead | undefined, bead: ListedBead | undefined): void {
    for (const parent of new Set(parentIds(before))) {
      const kids = this.#kids.get(parent)
      if (!kids?.all.delete(at)) continue
      count(kids, before, -1)
      if (kids.all.size === 0) this.#kids.delete(parent)
    }
    for (const parent of new Set(parentIds(bead))) {
      const kids = this.#kids.get(parent) ?? { all: new Set(), open: 0, closed: 0, named: null }
      this.#kids.set(parent, kids)
      kids.all.add(at)
      count(kids, bead, 1)
    }
  }

  #link(at: number, bead: ListedBead | undefined): void {
    for (const edge of bead?.dependencies ?? []) {
      if (isBlocking(edge)) add(this.#blocks, edge.dependsOn, at)
      if (edge.type === 'waits-for') add(this.#fanIns, edge.dependsOn, at)
      if (edge.dependsOn === bead?.reminds || edge.type === 'discovered-from') add(this.#reminders, edge.dependsOn, at)
    }
    const holders = new Set((bead?.dependencies ?? []).filter(isBlocking).map(({ dependsOn }) => dependsOn))
    let open = (bead?.dependencies ?? []).some(waitsOutside) ? 1 : 0
    for (const id of holders) if (this.#isWaitedFor(id)) open += 1
    this.#holders.set(at, open)
  }

  #unlink(at: number, bead: ListedBead | undefined): void {
    for (const { dependsOn } of bead?.dependencies ?? [])
      for (const edges of [this.#blocks, this.#fanIns, this.#reminders]) drop(edges, dependsOn, at)
  }

  #addHolder(at: number, change: number): void {
    const was = this.#isHeld(at)
    this.#holders.set(at, this.#holders.get(at) + change)
    this.#heldAgain(at, was)
  }

  #hold(at: number): void {
    const was = this.#isHeld(at)
    const bead = this.#beads[at]
    this.#waitsForKids.set(at, bead !== undefined && bead.dependencies.some((edge) => this.#holdsByKids(edge)))
    this.#heldAgain(at, was)
  }

  #heldAgain(at: number, was: boolean): void {
    const held = this.#isHeld(at)
    if (was !== held) this.#reblock(at, was)
    this.#tell(at, held && was)
  }

  /** `forChildren`: its children's reasons name its blockers. */
  #tell(at: number, forChildren: boolean): void {
    this.#touched(at)
    if (forChildren) for (const child of this.childrenOf(this.#idAt(at))) this.#touched(child)
  }

  /**
   * Whether a parent's children hold beads back: an open child does, or for some edges none does once one child is
   * closed.
   */
  #holdersIn(parent: string): string {
    const { open = 0, closed = 0 } = this.#kids.get(parent) ?? {}
    return `${open > 0} ${closed > 0}`
  }

  #holdsByKids(edge: BeadDependency): boolean {
    if (!waitsForKids(edge)) return false
    if (this.#lacksParent(edge)) return true
    const kids = this.#kids.get(edge.dependsOn)
    if (kids === undefined || kids.open === 0) return false
    return kids.closed === 0 || !anyChildWillDo(edge)
  }

  #openKidsOf(parent: string): OpenKids {
    const kids = this.#kids.get(parent)
    if (kids === undefined) return openKids([])
    return (kids.named ??= openKids(this.#inOrder(kids.all)))
  }

  /** Ids of the children that have not ended. */
  #inOrder(all: Iterable<number>): string[] {
    const kids = [...all].sort((a, b) => this.#serialOf(a) - this.#serialOf(b))
    return kids.flatMap((at) => {
      const kid = this.#beads[at]
      return kid !== undefined && !hasEnded(kid) ? [kid.id] : []
    })
  }

  #lacksParent(edge: BeadDependency): boolean {
    return waitsForKids(edge) && this.target(edge) === undefined
  }

  #isWaitedFor(id: string): boolean {
    return isWaitedFor(this.#beads[this.positionOf(id)])
  }

  #isOpenAt(at: number): boolean {
    return isOpen(this.#beads[at])
  }

  #isHeld(at: number): boolean {
    const bead = this.#beads[at]
    return bead !== undefined && !hasEnded(bead) && (this.#holders.get(at) > 0 || this.#waitsForKids.has(at))
  }

  #serialOf(at: number): number {
    return this.#serials.get(at)
  }

  #idAt(at: number): string {
    return this.#beads[at]?.id ?? this.#leaving
  }

  #parentsOf(at: number): number[] {
    return parentIds(this.#beads[at]).flatMap((id) => this.#positions.get(id) ?? [])
  }

  /**
   * Being blocked flows from parents to children that have not ended. `lost`: in a cycle of parents, it may have been
   * the reason why its own parents are blocked.
   */
  #reblock(at: number, lost: boolean): void {
    const wants = this.#isOpenAt(at) && (this.#isHeld(at) || this.#hasBlockedParent(at))
    if (wants && !this.isBlocked(at)) this.#spread([at])
    else if (this.isBlocked(at) && (!wants || (lost && !this.#isHeld(at)))) this.#release(at)
  }

  #hasBlockedParent(at: number): boolean {
    return this.#parentsOf(at).some((parent) => this.isBlocked(parent))
  }

  #spread(from: number[]): void {
    const queue = from.filter((at) => !this.isBlocked(at))
    for (const at of queue) this.#flip(at, true)
    for (const parent of queue) {
      for (const child of this.childrenOf(this.#idAt(parent))) {
        if (this.isBlocked(child) || !this.#isOpenAt(child)) continue
        this.#flip(child, true)
        queue.push(child)
      }
    }
  }

  /**
   * Frees a bead and everything that is blocked only through it, then blocks again those that others still hold back.
   */
  #release(start: number): void {
    const freed = new Set([start])
    for (const at of freed)
      for (const child of this.childrenOf(this.#idAt(at)))
        if (this.isBlocked(child) && !this.#isHeld(child)) freed.add(child)
    for (const at of freed) this.#blocked.set(at, false)
    const again = [...freed].filter((at) => this.#isOpenAt(at) && (this.#isHeld(at) || this.#hasBlockedParent(at)))
    this.#spread(again)
    for (const at of freed) if (!this.isBlocked(at)) this.#touched(at)
  }

  #flip(at: number, blocked: boolean): void {
    this.#blocked.set(at, blocked)
    this.#touched(at)
  }
}

/** Whether an edge waits for the children of a bead, known or not. */
const waitsForKids = ({ type, dependsOn }: BeadDependency): boolean => type === 'waits-for' && !isExternal(dependsOn)

const waitsOutside = (edge: BeadDependency): boolean => mayHoldBack(edge) && isMissingOutside(edge)
