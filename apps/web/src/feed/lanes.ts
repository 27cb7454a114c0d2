import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { laneOf, noCards, type BoardCard, type Lane } from '@beadloom/core/board/board-card.ts'
import { orders, type Order } from '@beadloom/core/board/lane-order.ts'
import { FacetTally, type Facet } from '@beadloom/core/board/board-filter.ts'
import { beadsSince } from './board-fold.ts'
import type { BoardView, ViewMark } from './board-fold.ts'

/** All cards by lane, each lane in its order. `known` are executions that ended before the feed began. */
export const boardLanes = (board: BoardView, queue: Queue, known: Executions = nobody): Record<Lane, BoardCard[]> =>
  new LaneKeeper().lanes(board, queue, known)

type Queue = ServerStatus['queue']
type Executions = ReadonlyMap<string, ExecutionView>
/** Cards that are gone, cards that are new, and beads for which a different number of other beads wait now. */
type Moves = { gone: Set<BoardCard>; come: BoardCard[]; waited: Set<string> }

/**
 * The same for a board that changes many times a second. A card or lane that has not changed since the last call is the
 * same object again, and only changed cards are moved. The answer depends on the arguments alone.
 */
export class LaneKeeper {
  readonly #cards = new Map<string, BoardCard>()
  readonly #facets = new FacetTally()
  #lanes = noCards()
  /** The number of beads that wait for each bead. */
  readonly #unlocks = new Map<string, number>()
  #mark: ViewMark | null = null
  #executions: Executions = new Map()
  #known: Executions = new Map()
  #queue: Queue = []
  #positions: ReadonlyMap<string, number> = new Map()

  /** The facets in which the current cards differ or have a value. */
  used(): Facet[] {
    return this.#facets.used()
  }

  lanes(board: BoardView, queue: Queue, known: Executions = nobody): Record<Lane, BoardCard[]> {
    const isSame = queue === this.#queue && known === this.#known && board.executions === this.#executions
    if (isSame && this.#mark !== null && board.mark === this.#mark) return this.#lanes
    const some = isSame ? beadsSince(board, this.#mark) : null
    if (queue !== this.#queue) this.#positions = new Map(queue.map(({ execution, position }) => [execution, position]))
    this.#mark = board.mark ?? null
    this.#queue = queue
    this.#known = known
    this.#executions = board.executions
    const moves: Moves = { gone: new Set(), come: [], waited: new Set() }
    if (some === null) {
      for (const id of board.beads.keys()) this.#look(board, id, moves)
      for (const id of this.#cards.keys()) if (!board.beads.has(id)) this.#look(board, id, moves)
    } else for (const id of some) this.#look(board, id, moves)
    this.#put(moves)
    return this.#lanes
  }

  #look(board: BoardView, bead: string, moves: Moves): void {
    const card = board.beads.get(bead)
    const old = this.#cards.get(bead)
    if (card === undefined || card.hidden) {
      if (old === undefined) return
      this.#cards.delete(bead)
    } else {
      const id = card.execution
      const execution = id === null ? null : (board.executions.get(id) ?? this.#known.get(id) ?? null)
      const position = id === null ? null : (this.#positions.get(id) ?? null)
      if (old !== undefined && old.card === card && old.execution === execution && old.position === position) return
      const item = { card, execution, lane: laneOf(card, execution), position }
      this.#cards.set(bead, item)
      moves.come.push(item)
      this.#facets.add(card)
      this.#wait(card, 1, moves)
    }
    if (old === undefined) return
    moves.gone.add(old)
    this.#facets.remove(old.card)
    this.#wait(old.card, -1, moves)
  }

  #wait({ reason }: BeadCard, by: 1 | -1, { waited }: Moves): void {
    for (const other of reason?.beads ?? noBeads) {
      const count = (this.#unlocks.get(other) ?? 0) + by
      if (count === 0) this.#unlocks.delete(other)
      else this.#unlocks.set(other, count)
      waited.add(other)
    }
  }

  #put({ gone, come, waited }: Moves): void {
    const touched = new Set([...[...gone].map(({ lane }) => lane), ...come.map(({ lane }) => lane)])
    let isReordered = false
    for (const id of waited) if (this.#cards.get(id)?.lane === 'blocked') isReordered = true
    if (isReordered) touched.add('blocked')
    if (touched.size === 0) return
    const opens = ({ card }: BoardCard) => this.#unlocks.get(card.id) ?? 0
    const byUnlocks: Order = (a, b) => opens(b) - opens(a) || orders.blocked(a, b)
    const next = { ...this.#lanes }
    for (const lane of touched) {
      const mine = come.filter((item) => item.lane === lane)
      const order: Order = lane === 'blocked' ? byUnlocks : orders[lane]
      const sorted = mine.toSorted(order)
      const kept = merged(next[lane], gone, sorted, order)
      // A change in what waits for one blocked bead may move all the others.
      next[lane] = lane === 'blocked' && isReordered ? kept.sort(order) : kept
    }
    this.#lanes = next
  }
}

const nobody: Executions = new Map()
const noBeads: readonly string[] = []

/** More new cards than these are merged in one walk through all cards. */
const FEW = 20

/** Both lists are in order already. */
function merged(
  old: readonly BoardCard[],
  gone: ReadonlySet<BoardCard>,
  come: readonly BoardCard[],
  order: Order,
): BoardCard[] {
  if (gone.size + come.length <= FEW) return patched(old, gone, come, order)
  const result: BoardCard[] = []
  let at = 0
  for (const item of old) {
    if (gone.has(item)) continue
    for (let next = come[at]; next !== undefined && order(next, item) < 0; next = come[++at]) result.push(next)
    result.push(item)
  }
  for (; at < come.length; at++) result.push(come[at]!)
  return result
}

function patched(
  old: readonly BoardCard[],
  gone: ReadonlySet<BoardCard>,
  come: readonly BoardCard[],
  order: Order,
): BoardCard[] {
  const result = [...old]
  for (const item of gone) {
    const at = result.indexOf(item)
    if (at >= 0) result.splice(at, 1)
  }
  for (const item of come) {
    let [low, high] = [0, result.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (order(item, result[middle]!) < 0) high = middle
      else low = middle + 1
    }
    result.splice(low, 0, item)
  }
  return result
}
