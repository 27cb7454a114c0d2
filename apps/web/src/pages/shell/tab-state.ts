import type { BeadCard, ExecutionView } from '@beadloom/core/api/api.ts'
import { beadsSince } from '../../feed/board-fold.ts'
import type { BoardView, ViewMark } from '../../feed/board-fold.ts'
import { laneOf } from '../../feed/board-card.ts'
import type { Lane } from '../../feed/board-card.ts'

/** What the browser's tab shows of a project while another tab is looked at: the worst of it. */
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

/** Beads that are blocked in the tracker, without an execution of ours, need nobody here. */
function kindOf(card: BeadCard | undefined, executions: Executions, known: Executions): Kind | null {
  if (card === undefined || card.hidden || card.execution === null) return null
  const execution = executions.get(card.execution) ?? known.get(card.execution) ?? null
  return kinds[laneOf(card, execution)]
}

/** Failed and timed out before blocked before running. Only what has changed on the board is looked at. */
export class TabKeeper {
  readonly #kinds = new Map<string, Kind>()
  #count = { failed: 0, blocked: 0, running: 0 }
  #mark: ViewMark | null = null
  #executions: Executions | null = null
  #known: Executions | null = null

  state(view: Seen, known: Executions): TabState {
    const { beads, executions } = view
    const some = executions === this.#executions && known === this.#known ? beadsSince(view, this.#mark) : null
    if (some === null) {
      this.#kinds.clear()
      this.#count = { failed: 0, blocked: 0, running: 0 }
    }
    this.#mark = view.mark ?? null
    this.#executions = executions
    this.#known = known
    for (const id of some ?? beads.keys()) this.#set(id, kindOf(beads.get(id), executions, known))
    const { failed, blocked, running } = this.#count
    if (failed > 0) return { badge: `(${failed}✕)`, icon: 'failed' }
    if (blocked > 0) return { badge: `(${blocked}⏸)`, icon: 'blocked' }
    return { badge: '', icon: running > 0 ? 'running' : 'idle' }
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
