import type { BeadCard, ExecutionView, ProjectView, ServerStatus } from '@beadloom/core/api.ts'
import type { BoardOp } from '@beadloom/core/protocol.ts'
import type { ChannelFrame } from './live-socket.ts'

/** What the screens read: immutable, a new one for each animation frame in which something changed. */
export type BoardView = {
  epoch: string
  seq: number
  projects: ReadonlyMap<string, ProjectView>
  beads: ReadonlyMap<string, BeadCard>
  executions: ReadonlyMap<string, ExecutionView>
  status: ServerStatus | null
}

/** `resync` asks for a new subscription, because the frames do not fit what is held. */
export type Applied = 'changed' | 'ignored' | 'resync' | 'gone'

/**
 * The fold of one `home` or `board:…` channel. The cursor is a field of the same object as the data, so neither can
 * survive without the other (a stored cursor without its data loses history; data without a cursor repeats it).
 */
export class BoardFold {
  #epoch: string | null = null
  #seq = 0
  #projects = new Map<string, ProjectView>()
  #beads = new Map<string, BeadCard>()
  #executions = new Map<string, ExecutionView>()
  #status: ServerStatus | null = null
  #view: BoardView | null = null

  cursor(): { next: number; epoch?: string } {
    return this.#epoch === null ? { next: 0 } : { next: this.#seq, epoch: this.#epoch }
  }

  /** Null until the first snapshot: nothing is known, which is not the same as empty. */
  view(): BoardView | null {
    if (this.#epoch === null) return null
    this.#view ??= {
      epoch: this.#epoch,
      seq: this.#seq,
      projects: new Map(this.#projects),
      beads: new Map(this.#beads),
      executions: new Map(this.#executions),
      status: this.#status,
    }
    return this.#view
  }

  apply(frame: ChannelFrame): Applied {
    switch (frame.type) {
      case 'snapshot':
        this.clear()
        this.#epoch = frame.epoch
        this.#seq = frame.seq
        for (const op of frame.ops) this.#put(op)
        return 'changed'
      case 'delta':
        if (this.#epoch === null) return 'resync'
        if (frame.seq <= this.#seq) return 'ignored'
        this.#seq = frame.seq
        for (const op of frame.ops) this.#put(op)
        this.#view = null
        return 'changed'
      case 'expired':
        return 'gone'
      default:
        return 'ignored'
    }
  }

  clear(): void {
    this.#epoch = null
    this.#seq = 0
    this.#projects = new Map()
    this.#beads = new Map()
    this.#executions = new Map()
    this.#status = null
    this.#view = null
  }

  #put(op: BoardOp): void {
    if (op.op === 'remove') {
      ;(op.kind === 'bead' ? this.#beads : this.#projects).delete(op.id)
      return
    }
    switch (op.kind) {
      case 'bead':
        this.#beads.set(op.value.id, op.value)
        return
      case 'execution':
        this.#executions.set(op.value.id, op.value)
        return
      case 'project':
        this.#projects.set(op.value.id, op.value)
        return
      case 'status':
        this.#status = op.value
        return
    }
  }
}
