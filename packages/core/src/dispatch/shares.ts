import type { ProjectId } from '../records/ids.ts'
import { Heap } from './heap.ts'

/*
 * Hands out the free slots of an engine. The rule, in this order (docs/fairness.md explains it to people):
 *
 * 1. A project with fewer slots than its share, rounded down, comes before one with more.
 * 2. Then a project with fewer than its share, rounded up.
 * 3. Then, so that no slot stays free, the project with the fewest for its weight.
 *
 * Among equals, turns decide: each start is worth 1/weight of a turn, and the project with the fewest comes first. Each
 * step of priority of the bead that would start is worth one turn: priority decides the order, and weight the
 * frequency. A share is slots × weight ÷ the weights of all projects that have a slot or could use one.
 */

export const USUAL_WEIGHT = 1
export const MOST_WEIGHT = 100
/** Nobody has tested more sandboxes at once. */
export const MOST_SLOTS = 10_000
/** The worst priority; a bead with a worse one counts as this. */
const WORST = 4

/** The next candidate: its age counts from `since`, milliseconds UTC. `fresh`: nobody has queued it yet. */
export type Head = { priority: number; fresh: boolean; since: number; bead: string }

/** One project on one engine. `turns`: the turns that it has had (`Turns`). */
export type Claimant<T extends Head> = {
  project: ProjectId
  weight: number
  /** The most slots that it may have at once; null: any number. */
  limit: number | null
  used: number
  turns: number
  /** Its next candidate; undefined: none. */
  peek(): T | undefined
  /** Starts the candidate: `peek` then returns the one after it. */
  take(): void
}

export type Share = { down: number; up: number }

/** Exact, because weights and slots are integers. */
export const shareOf = (slots: number, weight: number, weights: number): Share => ({
  down: Math.floor((slots * weight) / weights),
  up: Math.ceil((slots * weight) / weights),
})

/** Whether a project has a slot or could use one: the weights of others do not count. */
export const isActive = <T extends Head>(one: Pick<Claimant<T>, 'used' | 'peek'>): boolean =>
  one.used > 0 || one.peek() !== undefined

export const weightsOf = (claimants: readonly Pick<Claimant<Head>, 'weight'>[]): number =>
  claimants.reduce((sum, { weight }) => sum + weight, 0)

/** Whether a limit keeps a project from a further slot. */
export const atLimit = ({ used, limit }: Pick<Claimant<Head>, 'used' | 'limit'>): boolean =>
  limit !== null && used >= limit

/**
 * The starts, first to last: as many as there are free slots, candidates and room below limits. `used` and `turns` of
 * the claimants grow with them.
 *
 * @param active the active claimants of one engine, in any order
 */
export function shareOut<T extends Head>(slots: number, free: number, active: readonly Claimant<T>[]): T[] {
  const weights = weightsOf(active)
  const line = new Heap<Place<T>>(comesFirst)
  const queue = (claimant: Claimant<T>): void => {
    const place = placeOf(claimant, shareOf(slots, claimant.weight, weights))
    if (place !== null) line.push(place)
  }
  if (free > 0) for (const claimant of active) queue(claimant)
  return handOut(free, line, queue)
}

/** Takes the first in line again and again, and queues each project anew at its new place. */
export function handOut<T extends Head>(
  free: number,
  line: { pop(): Place<T> | undefined },
  queue: (claimant: Claimant<T>) => void,
): T[] {
  const started: T[] = []
  while (started.length < free) {
    const first = line.pop()
    if (first === undefined) break
    const { claimant, head } = first
    started.push(head)
    claimant.take()
    claimant.used += 1
    claimant.turns += 1 / claimant.weight
    queue(claimant)
  }
  return started
}

/** Slots that projects have beyond their share, while another one waits for its own. */
export function beyondShare<T extends Head>(slots: number, active: readonly Claimant<T>[]): [ProjectId, number][] {
  const weights = weightsOf(active)
  const shares = active.map((one) => ({ one, share: shareOf(slots, one.weight, weights) }))
  const lacks = shares.some(({ one, share }) => one.used < share.down && !atLimit(one) && one.peek() !== undefined)
  if (!lacks) return []
  return shares.flatMap(({ one: { project, used }, share: { up } }) => (used > up ? [[project, used - up]] : []))
}

/** A project in the line for the next slot, with the values that decide its place, as they were when it was queued. */
export type Place<T extends Head> = {
  claimant: Claimant<T>
  head: T
  /** 0: fewer slots than its share rounded down; 1: fewer than its share rounded up; 2: the others. */
  tier: number
  used: number
  /** The turns that it has had, plus the worth of its head's priority. */
  turn: number
}

/** Null: it has nothing that may start. */
export function placeOf<T extends Head>(claimant: Claimant<T>, share: Share): Place<T> | null {
  const head = claimant.peek()
  if (head === undefined || atLimit(claimant)) return null
  const { used } = claimant
  const turn = claimant.turns + Math.min(Math.max(head.priority, 0), WORST)
  return { claimant, head, tier: tierOf(used, share), used, turn }
}

export const tierOf = (used: number, { down, up }: Share): number => (used < down ? 0 : used < up ? 1 : 2)

export function comesFirst<T extends Head>(a: Place<T>, b: Place<T>): number {
  if (a.tier !== b.tier) return a.tier - b.tier
  const load = a.tier < 2 ? 0 : a.used * b.claimant.weight - b.used * a.claimant.weight
  return load || a.turn - b.turn || byHead(a.head, b.head) || byText(a.claimant.project, b.claimant.project)
}

/** The order within a project: by priority, queued before fresh, by age, by id. */
export const byHead = (a: Head, b: Head): number =>
  a.priority - b.priority || Number(a.fresh) - Number(b.fresh) || a.since - b.since || byText(a.bead, b.bead)

/** By code unit, as everywhere else. */
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
