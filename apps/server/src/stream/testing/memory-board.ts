import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import {
  parseProjectId,
  type BeadId,
  type ExecutionId,
  type ProjectId,
  type SessionId,
} from '@beadloom/core/records/ids.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import type { Change, ChangeKind } from '../../ports/store/changes.ts'
import type { ChangeFeed, Views } from '../ports.ts'

export const DEMO = parseProjectId('demo')

/** A store and its views in memory: every change takes the next number, and only the newest of a thing is kept. */
export class MemoryBoard implements ChangeFeed, Views {
  epoch = 'epoch-1'
  /** The number of times that a card was drawn: the cost of clients. */
  drawn = 0
  sessions = new Map<SessionId, 'live' | 'ended'>()
  readonly #beads = new Map<BeadId, BeadCard>()
  readonly #executions = new Map<ExecutionId, ExecutionView>()
  readonly #projects = new Map<ProjectId, ProjectView>()
  readonly #changes = new Map<string, Change>()
  readonly #listeners = new Set<(seq: number) => void>()
  #seq = 1000
  #oldest = 0

  putProject(id: ProjectId): number {
    this.#projects.set(id, { id } as unknown as ProjectView)
    return this.#changed('project', id, id)
  }

  removeProject(id: ProjectId): number {
    this.#projects.delete(id)
    return this.#changed('project', id, id)
  }

  putBead(id: string, title: string): number {
    this.#beads.set(id as BeadId, { id, title } as BeadCard)
    return this.#changed('bead', DEMO, id)
  }

  removeBead(id: string): number {
    this.#beads.delete(id as BeadId)
    return this.#changed('bead', DEMO, id)
  }

  putExecution(id: string, bead: string): number {
    this.#executions.set(id as ExecutionId, { id, bead, project: DEMO } as unknown as ExecutionView)
    return this.#changed('execution', DEMO, id)
  }

  /** Forgets all changes so far, like a store with a bounded history. */
  forget(): void {
    this.#changes.clear()
    this.#oldest = this.#seq
  }

  seq = () => this.#seq
  hasProject = (id: ProjectId): boolean => this.#projects.has(id)

  changesAfter(seq: number, limit: number): Change[] | null {
    if (seq < this.#oldest) return null
    return [...this.#changes.values()].filter((change) => change.seq > seq).slice(0, limit)
  }

  onChange = (listener: (seq: number) => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  bead = (_: ProjectId, id: BeadId) => {
    this.drawn++
    return this.#beads.get(id)
  }
  execution = (id: ExecutionId) => this.#executions.get(id)
  project = (id: ProjectId) => this.#projects.get(id)
  status = () => ({ version: '1', queue: [] as object[], running: [] as string[] }) as ServerStatus
  session = (id: SessionId) => this.sessions.get(id)
  home = (): BoardOp[] => [
    ...[...this.#projects.values()].map((value): BoardOp => ({ op: 'put', kind: 'project', value })),
    { op: 'put', kind: 'status', value: this.status() },
  ]
  board = (project: ProjectId): Iterable<BoardOp> | undefined => {
    if (!this.#projects.has(project)) return undefined
    return [...this.#beads.values()].map((value): BoardOp => ({ op: 'put', kind: 'bead', value }))
  }

  #changed(kind: ChangeKind, project: ProjectId, id: string): number {
    this.#changes.delete(`${kind} ${id}`)
    this.#changes.set(`${kind} ${id}`, { seq: ++this.#seq, kind, project, id })
    for (const listener of this.#listeners) listener(this.#seq)
    return this.#seq
  }
}
