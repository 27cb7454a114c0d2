import type { BeadCard } from '../api/beads/bead-api.ts'
import { isInside } from '../bead/inside.ts'
import { lanes, laneWith, type BoardCard, type Lane } from './board-card.ts'
import { orders } from './lane-order.ts'

type Lanes = Record<Lane, BoardCard[]>

/** The columns with follow-ups inside the beads that they are about: the board without a search. */
export const nestFollowUps = (all: Lanes): Lanes => new FollowUpNest().nest(all)

/**
 * The same for a board that changes many times a second: an unchanged card or lane is the same object again. The answer
 * depends only on the argument.
 */
export class FollowUpNest {
  #given: Lanes | null = null
  #made: Lanes | null = null
  /** Beads with follow-ups, as they were made last. */
  #parents = new Map<string, BoardCard>()

  nest(all: Lanes): Lanes {
    if (this.#given === all && this.#made !== null) return this.#made
    const inside = followUpsIn(all)
    const made = inside.size === 0 ? all : this.#nested(all, inside)
    this.#given = all
    this.#made = made
    return made
  }

  #nested(all: Lanes, inside: Map<string, BoardCard[]>): Lanes {
    const parents = new Map<string, BoardCard>()
    const hidden = new Set<BoardCard>()
    const moved: BoardCard[] = []
    const made = {} as Lanes
    for (const lane of lanes)
      for (const item of all[lane]) {
        const children = inside.get(item.card.id)?.filter(({ card }) => isInside(card, item.card))
        if (children === undefined || children.length === 0) continue
        for (const child of children) hidden.add(child)
        const work = children.filter(({ card }) => isWork(card))
        if (work.length === 0) continue
        const parent = this.#parent(item, work)
        parents.set(item.card.id, parent)
        if (parent.lane !== lane) moved.push(parent)
      }
    for (const lane of lanes) {
      const kept: BoardCard[] = []
      for (const item of all[lane]) {
        if (hidden.has(item)) continue
        const parent = parents.get(item.card.id)
        if (parent === undefined || parent.lane === lane) kept.push(parent ?? item)
      }
      for (const parent of moved) if (parent.lane === lane) insert(kept, parent, lane)
      const before = this.#made?.[lane]
      made[lane] = same(all[lane], kept) ? all[lane] : before !== undefined && same(before, kept) ? before : kept
    }
    this.#parents = parents
    return made
  }

  #parent(item: BoardCard, work: readonly BoardCard[]): BoardCard {
    const { lane, through } = laneWith(item.lane, work)
    const old = this.#parents.get(item.card.id)
    const isSame =
      old?.card === item.card &&
      old.execution === item.execution &&
      old.position === (through ?? item).position &&
      old.lane === lane &&
      same(old.followUps ?? [], work)
    if (isSame) return old
    return { ...item, lane, position: (through ?? item).position, followUps: work, ...(through && { through }) }
  }
}

/** Whether a follow-up is work: no reminder, and not closed before anybody worked on it. */
export const isWork = ({ reminderOf, status, execution }: BeadCard): boolean =>
  reminderOf === undefined && (status !== 'done' || execution !== null)

/** Follow-ups by the bead that they are about. Most boards have few, so this is one walk over the cards. */
function followUpsIn(all: Lanes): Map<string, BoardCard[]> {
  const found = new Map<string, BoardCard[]>()
  for (const lane of lanes)
    for (const item of all[lane]) {
      const of = item.card.followUpOf
      if (of === undefined) continue
      const others = found.get(of)
      if (others === undefined) found.set(of, [item])
      else others.push(item)
    }
  return found
}

/** The parent sorts by the card that works in it. */
function insert(into: BoardCard[], parent: BoardCard, lane: Lane): void {
  const acting = (item: BoardCard): BoardCard =>
    item.through === undefined ? item : { ...item, execution: item.through.execution }
  const at = into.findIndex((other) => orders[lane](acting(parent), acting(other)) < 0)
  into.splice(at < 0 ? into.length : at, 0, parent)
}

const same = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at])
