import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import { LayeredMap } from './layered-map.ts'
import type { ChannelFrame } from './live-socket.ts'

/**
 * The board for the screens: immutable, and a new one for each animation frame in which something changed. Unchanged
 * parts are the same maps again.
 */
export type BoardView = {
  epoch: string
  seq: number
  projects: ReadonlyMap<string, ProjectView>
  beads: ReadonlyMap<string, BeadCard>
  executions: ReadonlyMap<string, ExecutionView>
  status: ServerStatus | null
  /** Identifies this view in the next one, without keeping it in memory. */
  mark?: ViewMark
  /** The beads that changed since the previous view; undefined: any may have. */
  since?: { view: ViewMark; beads: ReadonlySet<string> } | undefined
}
export type ViewMark = { readonly seq: number }

/** The beads that may differ from the view at `mark`; null: any of them. */
export const beadsSince = ({ since }: Pick<BoardView, 'since'>, mark: ViewMark | null): ReadonlySet<string> | null =>
  since !== undefined && since.view === mark ? since.beads : null

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
  /** The view as last read; null: not read since the last snapshot. */
  #view: BoardView | null = null
  #shown = LayeredMap.of(this.#beads)
  #isNews = false
  /** Changes since that view. */
  #touched = nothing()

  cursor(): { next: number; epoch?: string } {
    return this.#epoch === null ? { next: 0 } : { next: this.#seq, epoch: this.#epoch }
  }

  /** Null until the first snapshot: nothing is known, which is not the same as empty. */
  view(): BoardView | null {
    if (this.#epoch === null) return null
    const last = this.#view
    if (last !== null && !this.#isNews) return last
    const { project, bead, execution } = this.#touched
    if (last === null) this.#shown = LayeredMap.of(this.#beads)
    else if (bead.size > 0) this.#shown = this.#shown.changed(this.#beads, bead)
    this.#view = {
      epoch: this.#epoch,
      seq: this.#seq,
      projects: last === null || project.size > 0 ? new Map(this.#projects) : last.projects,
      beads: this.#shown,
      executions: last === null || execution.size > 0 ? new Map(this.#executions) : last.executions,
      status: this.#status,
      mark: { seq: this.#seq },
      since: last?.mark && { view: last.mark, beads: bead },
    }
    this.#touched = nothing()
    this.#isNews = false
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
        this.#isNews = true
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
    this.#isNews = false
    this.#touched = nothing()
  }

  #put(op: BoardOp): void {
    if (op.op === 'remove') {
      this.#touched[op.kind].add(op.id)
      ;(op.kind === 'bead' ? this.#beads : this.#projects).delete(op.id)
      return
    }
    if (op.kind === 'status') {
      this.#status = op.value
      return
    }
    this.#touched[op.kind].add(op.value.id)
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
    }
  }
}

const nothing = () => ({ project: new Set<string>(), bead: new Set<string>(), execution: new Set<string>() })
