import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isInside } from '@beadloom/core/bead/inside.ts'
import { beadsSince } from '../../feed/board-fold.ts'
import type { BoardView, ViewMark } from '../../feed/board-fold.ts'
import { laneOf, laneWith } from '@beadloom/core/board/board-card.ts'
import type { Lane } from '@beadloom/core/board/board-card.ts'

/** The worst state in a project, for the browser's tab while a person looks at another one. */
export type TabState = { badge: string; icon: 'failed' | 'blocked' | 'running' | 'idle' }

export const idle: TabState = { badge: '', icon: 'idle' }

type Kind = Exclude<TabState['icon'], 'idle'>
type Executions = ReadonlyMap<string, ExecutionView>
type Seen = Pick<BoardView, 'beads' | 'executions' | 'mark' | 'since'>

const kinds: Record<Lane, Kind | null> = {
  queued: 'running',
  running: 'running',
  blocked: 'blocked',
  failed: 'failed',
  timeout: 'failed',
  open: null,
  completed: null,
}

type Known = { beads: ReadonlyMap<string, BeadCard>; executions: Executions; known: Executions }

const laneIn = (card: BeadCard, { executions, known }: Known): Lane =>
  laneOf(card, card.execution === null ? null : (executions.get(card.execution) ?? known.get(card.execution) ?? null))

/**
 * Counts as the board does: a bead with its follow-ups is one. A bead blocked only in the tracker needs nobody here.
 */
function kindOf(id: string, all: Known, filed: ReadonlySet<string> | undefined): Kind | null {
  const card = all.beads.get(id)
  if (card === undefined || card.hidden) return null
  if (card.followUpOf !== undefined && isInside(card, all.beads.get(card.followUpOf))) return null
  const followUps = [...(filed ?? [])].flatMap((one) => all.beads.get(one) ?? []).filter((one) => isInside(one, card))
  const { lane, through } = laneWith(
    laneIn(card, all),
    followUps.filter(({ hidden }) => !hidden).map((one) => ({ lane: laneIn(one, all), execution: one.execution })),
  )
  return (through ?? card).execution === null ? null : kinds[lane]
}

/** Order: failed and timed out, blocked, running. It examines only changed beads. */
export class TabKeeper {
  readonly #kinds = new Map<string, Kind>()
  /** The follow-ups of each bead, and the bead of each follow-up. */
  readonly #filed = new Map<string, Set<string>>()
  readonly #origins = new Map<string, string>()
  #count = { failed: 0, blocked: 0, running: 0 }
  #mark: ViewMark | null = null
  #executions: Executions | null = null
  #known: Executions | null = null

  state(view: Seen, known: Executions): TabState {
    const { beads, executions } = view
    const some = executions === this.#executions && known === this.#known ? beadsSince(view, this.#mark) : null
    if (some === null) {
      this.#kinds.clear()
      this.#filed.clear()
      this.#origins.clear()
      this.#count = { failed: 0, blocked: 0, running: 0 }
    }
    this.#mark = view.mark ?? null
    this.#executions = executions
    this.#known = known
    const changed = new Set(some ?? beads.keys())
    // A follow-up counts with its bead, and the bead with its follow-ups.
    for (const id of some ?? beads.keys()) {
      const [before, now] = [this.#origins.get(id), beads.get(id)?.followUpOf]
      if (before !== now) this.#file(id, before, now)
      for (const origin of [before, now]) if (origin !== undefined) changed.add(origin)
      for (const one of this.#filed.get(id) ?? []) changed.add(one)
    }
    const all = { beads, executions, known }
    for (const id of changed) this.#set(id, kindOf(id, all, this.#filed.get(id)))
    const { failed, blocked, running } = this.#count
    if (failed > 0) return { badge: `(${failed}✕)`, icon: 'failed' }
    if (blocked > 0) return { badge: `(${blocked}⏸)`, icon: 'blocked' }
    return { badge: '', icon: running > 0 ? 'running' : 'idle' }
  }

  #file(id: string, before: string | undefined, now: string | undefined): void {
    if (before !== undefined) this.#filed.get(before)?.delete(id)
    this.#origins.delete(id)
    if (now === undefined) return
    this.#origins.set(id, now)
    const others = this.#filed.get(now)
    if (others === undefined) this.#filed.set(now, new Set([id]))
    else others.add(id)
  }

  #set(id: string, kind: Kind | null): void {
    const old = this.#kinds.get(id)
    if (old !== undefined) this.#count[old]--
    if (kind === null) this.#kinds.delete(id)
    else {
      this.#kinds.set(id, kind)
      this.#count[kind]++
    }
  }
}
