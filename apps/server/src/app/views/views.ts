import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { ListedBead } from '@beadloom/core/records/bead.ts'
import type { ExecutionId, BeadId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import { executionOf } from '@beadloom/core/records/ids.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import type { Views } from '../../stream/ports.ts'
import { beadCard, beadView, type BeadViewDeps } from './bead-view.ts'
import { executionView, type ExecutionViewDeps } from './execution-view.ts'
import { projectView, type ProjectViewDeps } from './project-view.ts'

export type ViewDeps = BeadViewDeps & ExecutionViewDeps & ProjectViewDeps & { status: () => ServerStatus }

export type CardsWanted = {
  wants: (bead: ListedBead, isReady: (bead: ListedBead) => boolean) => boolean
  order: (one: ListedBead, other: ListedBead) => number
  from: number
  to: number
}

/** More than anybody reads on one page. */
const MOST_ACTIONS = 100

/** The current state for people and programs; the same for the API and the stream. */
export class ServerViews implements Views {
  #deps: ViewDeps

  constructor(deps: ViewDeps) {
    this.#deps = deps
  }

  status(): ServerStatus {
    return this.#deps.status()
  }

  bead(project: ProjectId, id: BeadId): BeadCard | undefined {
    this.#deps.index.refresh()
    const bead = this.#deps.index.beads(project).get(id)
    return bead && beadCard(this.#deps, bead)
  }

  /** The wanted cards of beads, in this order, from one place to another; and how many there are. */
  cards(project: ProjectId, { wants, order, from, to }: CardsWanted): { cards: BeadCard[]; count: number } {
    const { index, schedule, clock } = this.#deps
    index.refresh()
    const now = clock.now()
    const isReady = (bead: ListedBead) => schedule.isReady(project, bead.id, now)
    const found = [...index.beads(project).values()].filter((bead) => wants(bead, isReady)).sort(order)
    return { cards: found.slice(from, to).map((bead) => beadCard(this.#deps, bead)), count: found.length }
  }

  beadInFull(project: ProjectId, id: BeadId): BeadView | undefined {
    const { store, index } = this.#deps
    index.refresh()
    const bead = store.bead(project, id)
    if (!bead) return undefined
    const executions = store.executions({ project, bead: id, limit: 100 })
    const acceptance = store.acceptanceOf(project, id)
    const edits = store.editsOf(project, id)
    const actions = this.#deps.people ? store.actionsOnBead(project, id, MOST_ACTIONS) : []
    return {
      ...beadView(
        this.#deps,
        bead,
        executions.map((one) => executionView(this.#deps, one)),
      ),
      ...(acceptance === '' ? {} : { acceptance }),
      ...(actions.length === 0 ? {} : { actions }),
      ...(edits.length === 0 ? {} : { edits: edits.map(({ field, value, problem }) => ({ field, value, problem })) }),
    }
  }

  execution(id: ExecutionId): ExecutionView | undefined {
    const execution = this.#deps.store.execution(id)
    return execution ? executionView(this.#deps, execution) : undefined
  }

  project(id: ProjectId): ProjectView | undefined {
    this.#deps.index.refresh()
    const row = this.#deps.store.project(id)
    return row ? projectView(this.#deps, row) : undefined
  }

  hasProject(id: ProjectId): boolean {
    return this.#deps.store.project(id) !== null
  }

  projects(): ProjectView[] {
    this.#deps.index.refresh()
    return this.#deps.store.projects().map((row) => projectView(this.#deps, row))
  }

  *home(): Iterable<BoardOp> {
    for (const value of this.projects()) yield { op: 'put', kind: 'project', value }
    yield { op: 'put', kind: 'status', value: this.status() }
  }

  board(project: ProjectId): Iterable<BoardOp> | undefined {
    this.#deps.index.refresh()
    return this.#deps.store.project(project) ? this.#boardOps(project) : undefined
  }

  session(id: SessionId): 'live' | 'ended' | undefined {
    const session = this.#deps.store.session(id)
    if (!session) return undefined
    const execution = this.#deps.store.execution(executionOf(id))
    return session.state === 'ended' && execution ? 'ended' : 'live'
  }

  *#boardOps(project: ProjectId): Iterable<BoardOp> {
    const { index } = this.#deps
    for (const id of index.beads(project).keys()) {
      const value = this.bead(project, id)
      if (value) yield { op: 'put', kind: 'bead', value }
    }
    for (const id of index.newestExecutions(project)) {
      const value = this.execution(id)
      if (value) yield { op: 'put', kind: 'execution', value }
    }
    for (const { id, kind, project: its } of index.live()) {
      const value = kind !== 'work' && its === project ? this.execution(id) : undefined
      if (value) yield { op: 'put', kind: 'execution', value }
    }
  }
}
