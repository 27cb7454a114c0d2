import type { ListedBead, BeadDependency } from '../records/bead.ts'
import { isExternal, isMissingOutside } from './external.ts'

/** The other beads that keep a bead from being ready. */
export type Blockers = {
  /**
   * `beads`: edges `blocks` and `conditional-blocks`; `children`: children of a bead that it fans in from
   * (`waits-for`).
   */
  kind: 'beads' | 'children'
  /** Ids of the beads that must end first, also of unknown ones, and missing capabilities of other projects. */
  beads: string[]
  /** Children beyond the first `MOST_KIDS` of a parent; left out if there are none. */
  more?: number
  /** The ancestor with these edges, if the bead waits only because its parent does; else null. */
  through: string | null
}

/** Answers about one list of beads. A bead is named by its position in that list, which needs no look-up. */
export type Waiting = {
  /** -1 if there is no such bead. */
  positionOf(id: string): number
  /**
   * The bead that an edge points to: the edge's bead waits for it, or was filed because of it. Undefined if it is unknown
   * or has vanished.
   */
  target(edge: BeadDependency): ListedBead | undefined
  isBlocked(at: number): boolean
  /** Null if nothing blocks it. */
  blockersOf(at: number): Blockers | null
}

/**
 * Whether a bead has ended for the beads that wait for it. A bead that the tracker closed is `done` here. A bead that
 * was reopened here is not, although the tracker says "closed" until it has been updated.
 */
export const hasEnded = (bead: Pick<ListedBead, 'status' | 'trackerStatus'>): boolean =>
  bead.status === 'done' || endedWords.has(bead.trackerStatus)

const endedWords: ReadonlySet<string> = new Set(['pinned', 'tombstone'])

/**
 * Whether a bead left its tracker unfinished, without a tombstone there: a bead with one is `done`. It is kept for its
 * executions, and is unknown to the beads that wait for it.
 */
export const hasVanished = ({ status, trackerStatus }: Pick<ListedBead, 'status' | 'trackerStatus'>): boolean =>
  status !== 'done' && trackerStatus === 'tombstone'

/** Edges along which a bead waits. A cycle of parents alone blocks nothing, but its beads can never be finished. */
export const waitingTypes: ReadonlySet<string> = new Set(['blocks', 'conditional-blocks', 'waits-for', 'parent-child'])

const holding: ReadonlySet<string> = new Set(['blocks', 'conditional-blocks', 'waits-for'])

/** Whether an edge can hold a bead back by itself; a parent only passes on its own blockers. */
export const mayHoldBack = ({ type }: Pick<BeadDependency, 'type'>): boolean => holding.has(type)

/** A bead that waits for the children of another names this many of them and counts the others. */
export const MOST_KIDS = 100

/** `open`: ids of the children that have not ended. */
type Kids = { open: OpenKids; isOneClosed: boolean }

/** The first of a parent's open children, and how many more there are. */
export type OpenKids = { named: readonly string[]; more: number }

export const openKids = (open: readonly string[]): OpenKids => ({
  named: open.slice(0, MOST_KIDS),
  more: Math.max(0, open.length - MOST_KIDS),
})

export function blockedByKids(all: readonly OpenKids[], through: string | null): Blockers {
  const more = all.reduce((sum, kids) => sum + kids.more, 0)
  const beads = [...new Set(all.flatMap(({ named }) => named))]
  return { kind: 'children', beads, through, ...(more > 0 && { more }) }
}

const NOT_BLOCKED = -2
const BY_ITSELF = -1

/**
 * `bd`'s rules of waiting (see `readySet`), in time linear in beads and edges.
 *
 * Being blocked flows from parents down to children. It spreads from the beads that are blocked by themselves instead
 * of a look-up from each child: a chain of any depth needs no stack, and a cycle of parents gives the same answer from
 * every start. A bead that has ended is not blocked and passes nothing on. An edge to an unknown bead, or to an unknown
 * capability of another project, holds back; only an edge to a parent that does not exist means nothing.
 */
export function indexWaiting(beads: readonly ListedBead[]): Waiting {
  const targets = targetsOf(beads)
  const children = childrenOf(beads, targets)
  const blockedFrom = new Int32Array(beads.length).fill(NOT_BLOCKED)
  const kids = new Map<number, Kids>()
  let positions: Map<string, number> | null = null

  const queue: number[] = []
  for (let at = 0; at < beads.length; at++) {
    const { dependencies } = beadAt(at)
    if (dependencies.length === 0 || hasEnded(beadAt(at)) || !dependencies.some(holdsBack)) continue
    blockedFrom[at] = BY_ITSELF
    queue.push(at)
  }
  for (const parent of queue) {
    for (const child of children.get(parent) ?? []) {
      if (blockedFrom[child] !== NOT_BLOCKED || hasEnded(beadAt(child))) continue
      blockedFrom[child] = parent
      queue.push(child)
    }
  }

  function beadAt(at: number): ListedBead {
    return beads[at] as ListedBead // positions come only from this array
  }

  function target(edge: BeadDependency): ListedBead | undefined {
    const bead = beads[targets.get(edge.dependsOn) ?? -1]
    return bead && hasVanished(bead) ? undefined : bead
  }

  function holdsBack(edge: BeadDependency): boolean {
    if (!mayHoldBack(edge)) return false
    if (isExternal(edge.dependsOn)) return isMissingOutside(edge)
    const other = target(edge)
    if (other === undefined) return true
    return edge.type === 'waits-for' ? waitsForChildren(edge) : !hasEnded(other)
  }

  function waitsForChildren(edge: BeadDependency): boolean {
    const { open, isOneClosed } = kidsOf(edge)
    return open.named.length > 0 && !(anyChildWillDo(edge) && isOneClosed)
  }

  /** Counted once for each parent, no matter how many beads wait for its children. */
  function kidsOf(edge: BeadDependency): Kids {
    const parent = targets.get(edge.dependsOn) ?? -1
    const known = kids.get(parent)
    if (known !== undefined) return known
    const all = (children.get(parent) ?? []).map(beadAt)
    const open = openKids(all.filter((kid) => !hasEnded(kid)).map(({ id }) => id))
    const found = { open, isOneClosed: all.some(isClosed) }
    kids.set(parent, found)
    return found
  }

  function blockersOf(start: number): Blockers | null {
    if ((blockedFrom[start] ?? NOT_BLOCKED) === NOT_BLOCKED) return null
    let at = start
    for (let up = blockedFrom[at] ?? BY_ITSELF; up >= 0; up = blockedFrom[at] ?? BY_ITSELF) at = up
    const through = at === start ? null : beadAt(at).id
    const edges = beadAt(at).dependencies.filter(holdsBack)
    const direct = edges.filter((edge) => edge.type !== 'waits-for' || !target(edge)).map((edge) => edge.dependsOn)
    if (direct.length > 0) return { kind: 'beads', beads: [...new Set(direct)], through }
    return blockedByKids(
      edges.map((edge) => kidsOf(edge).open),
      through,
    )
  }

  return {
    positionOf: (id) => (positions ??= new Map(beads.map((bead, at) => [bead.id, at]))).get(id) ?? -1,
    target,
    isBlocked: (at) => (blockedFrom[at] ?? NOT_BLOCKED) !== NOT_BLOCKED,
    blockersOf,
  }
}

/**
 * Positions of the beads that others wait for or were filed because of; -1 for missing ones. Only these: a map of all
 * ids would cost more than everything else here.
 */
function targetsOf(beads: readonly ListedBead[]): ReadonlyMap<string, number> {
  const targets = new Map<string, number>()
  for (const bead of beads) {
    if (bead.dependencies.length === 0 || hasEnded(bead)) continue
    for (const { type, dependsOn } of bead.dependencies)
      if (waitingTypes.has(type) || type === 'discovered-from') targets.set(dependsOn, -1)
  }
  if (targets.size === 0) return targets
  for (let at = 0; at < beads.length; at++) {
    const id = beads[at]?.id ?? ''
    if (targets.has(id)) targets.set(id, at)
  }
  return targets
}

/** Ended children count, too: a fan-in of any child needs them. */
function childrenOf(beads: readonly ListedBead[], targets: ReadonlyMap<string, number>): ReadonlyMap<number, number[]> {
  const children = new Map<number, number[]>()
  for (let at = 0; at < beads.length; at++) {
    for (const edge of beads[at]?.dependencies ?? []) {
      if (edge.type !== 'parent-child') continue
      const parent = targets.get(edge.dependsOn) ?? -1
      if (parent < 0) continue
      const known = children.get(parent)
      if (known) known.push(at)
      else children.set(parent, [at])
    }
  }
  return children
}

/** Whether this child satisfies a fan-in that needs any one child. */
export const isClosed = (bead: ListedBead): boolean => bead.status === 'done'

/**
 * Whether one ended child is enough. The edge's metadata is JSON that anybody may have written; if it is not
 * understood, the bead waits for all children.
 */
export function anyChildWillDo(edge: BeadDependency): boolean {
  if (edge.metadata === undefined || edge.metadata === '') return false
  try {
    const value: unknown = JSON.parse(edge.metadata)
    return typeof value === 'object' && value !== null && 'gate' in value && value.gate === 'any-children'
  } catch {
    return false
  }
}
