import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { BoardOp, ServerFrame } from '@beadloom/core/api/stream/protocol.ts'

type ChannelFrame = Extract<ServerFrame, { ch: number }>
/** A message to the server in answer to a frame. */
export type Want = { type: 'sub' | 'unsub'; ch: number; topic: string }

type Board = { ch: number; seq: number; executions: Map<string, ExecutionView> }

/** A board that is watched for weeks forgets old ended executions; a screen shows a few dozen at most. */
const MOST_ENDED = 1_000

/** Keeps the most recently changed last. */
function keep({ executions }: Board, value: ExecutionView): void {
  executions.delete(value.id)
  executions.set(value.id, value)
  if (executions.size <= MOST_ENDED) return
  const oldest = [...executions.values()].find(({ state }) => isTerminal(state))
  if (oldest) executions.delete(oldest.id)
}

/**
 * A terminal's picture of the server, built from the channel `home` and one board for each project. Cards of beads are
 * not kept: the executions have everything that is shown.
 *
 * It knows no socket: frames go in, and subscriptions come out. A new connection begins with snapshots.
 */
export class LiveBoard {
  readonly #only: string | null
  status: ServerStatus | null = null
  readonly projects = new Map<string, ProjectView>()
  readonly #boards = new Map<string, Board>()
  #home = 0
  #channels = 0

  /** @param only the shown project; null: all of them */
  constructor(only: string | null) {
    this.#only = only
  }

  /** Begins a new connection: channel numbers start again; the screen keeps the known state until it is replaced. */
  begin(): Want[] {
    this.#channels = 0
    this.#home = ++this.#channels
    for (const board of this.#boards.values()) board.ch = ++this.#channels
    return [
      { type: 'sub', ch: this.#home, topic: 'home' },
      ...[...this.#boards].map(([project, { ch }]): Want => ({ type: 'sub', ch, topic: `board:${project}` })),
    ]
  }

  /** Whether the status and every board have arrived at least once. */
  get known(): boolean {
    return this.status !== null && [...this.#boards.values()].every(({ seq }) => seq >= 0)
  }

  executions(): ExecutionView[] {
    return [...this.#boards.values()].flatMap(({ executions }) => [...executions.values()])
  }

  apply(frame: ChannelFrame): Want[] {
    if (frame.ch === this.#home) return this.#applyHome(frame)
    const entry = [...this.#boards].find(([, { ch }]) => ch === frame.ch)
    if (!entry) return [] // the project was removed
    const [project, board] = entry
    if (frame.type === 'expired') this.#boards.delete(project)
    if (frame.type === 'snapshot') board.executions.clear()
    if (frame.type === 'snapshot' || frame.type === 'delta') {
      board.seq = frame.seq
      for (const op of frame.ops) if (op.op === 'put' && op.kind === 'execution') keep(board, op.value)
    }
    return []
  }

  #applyHome(frame: ChannelFrame): Want[] {
    if (frame.type !== 'snapshot' && frame.type !== 'delta') return []
    const wants: Want[] = []
    if (frame.type === 'snapshot') wants.push(...this.#dropAllBut(frame.ops))
    for (const op of frame.ops) wants.push(...this.#homeOp(op))
    return wants
  }

  #homeOp(op: BoardOp): Want[] {
    if (op.kind === 'status') this.status = op.value
    if (op.kind !== 'project') return []
    if (op.op === 'remove') return this.#drop(op.id)
    const { id } = op.value
    if (this.#only !== null && id !== this.#only) return []
    this.projects.set(id, op.value)
    if (this.#boards.has(id)) return []
    const ch = ++this.#channels
    this.#boards.set(id, { ch, seq: -1, executions: new Map() })
    return [{ type: 'sub', ch, topic: `board:${id}` }]
  }

  #dropAllBut(ops: readonly BoardOp[]): Want[] {
    const there = new Set(ops.flatMap((op) => (op.op === 'put' && op.kind === 'project' ? [op.value.id] : [])))
    return [...this.projects.keys()].filter((id) => !there.has(id)).flatMap((id) => this.#drop(id))
  }

  #drop(id: string): Want[] {
    const board = this.#boards.get(id)
    this.projects.delete(id)
    this.#boards.delete(id)
    return board ? [{ type: 'unsub', ch: board.ch, topic: `board:${id}` }] : []
  }
}
