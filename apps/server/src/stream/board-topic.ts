import { cutStatus } from '@beadloom/core/api/people/cut-answer.ts'
import { seesAll, seesProject, type Standing } from '@beadloom/core/access/standing.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import type { Change } from '../ports/store/changes.ts'
import type { Views } from './ports.ts'

/** The content of a topic: everything (undefined: it does not exist), and the ops that follow from changes. */
export interface BoardTopic {
  readonly key: string
  /** The sentence for people when it does not exist, or no longer. */
  readonly missing: string
  isGone(): boolean
  all(): Iterable<BoardOp> | undefined
  /** At most one op for each thing; none if the changes do not matter here. */
  opsOf(changes: readonly Change[]): BoardOp[]
}

/** The projects that somebody sees. */
export function homeTopic(views: Views, standing: Standing): BoardTopic {
  const isWhole = seesAll(standing)
  const cut = (op: BoardOp): BoardOp[] => {
    if (isWhole) return [op]
    if (op.op === 'put' && op.kind === 'status') return [{ ...op, value: statusFor(op.value, standing, views) }]
    const project = op.op === 'remove' ? op.id : op.kind === 'project' ? op.value.id : null
    return project !== null && seesProject(standing, project) ? [op] : []
  }
  return {
    // People who see the same share one text.
    key: isWhole ? 'home' : `home ${JSON.stringify([standing.role, ...standing.own])}`,
    missing: 'There is no home.',
    isGone: () => false,
    all: () => flatMapped(views.home(), cut),
    opsOf: (changes) => newestOnly(changes, (change) => homeOps(change, views).flatMap(cut)),
  }
}

function statusFor(status: ServerStatus, standing: Standing, views: Views): ServerStatus {
  const sees = (project: string) => seesProject(standing, project)
  return cutStatus(status, sees, (id) => views.execution(id as ExecutionId)?.project ?? null)
}

function* flatMapped<T>(all: Iterable<T>, each: (one: T) => T[]): Generator<T> {
  for (const one of all) yield* each(one)
}

export function boardTopic(project: ProjectId, views: Views): BoardTopic {
  return {
    key: `board:${project}`,
    missing: `Project ${project} not found.`,
    isGone: () => !views.hasProject(project),
    all: () => views.board(project),
    opsOf: (changes) =>
      newestOnly(changes, (change) => (change.project === project ? boardOps(change, project, views) : [])),
  }
}

function homeOps({ kind, id, project }: Change, views: Views): BoardOp[] {
  if (kind === 'status') return [{ op: 'put', kind: 'status', value: views.status() }]
  if (kind !== 'project') return []
  const value = views.project(project ?? (id as ProjectId))
  return [value ? { op: 'put', kind: 'project', value } : { op: 'remove', kind: 'project', id }]
}

function boardOps({ kind, id }: Change, project: ProjectId, views: Views): BoardOp[] {
  if (kind === 'bead') return [beadOp(project, id, views)]
  if (kind !== 'execution') return []
  const value = views.execution(id as ExecutionId)
  // The card shows its newest execution and the reason it is not running: both change with an execution.
  return value ? [{ op: 'put', kind, value }, beadOp(project, value.bead, views)] : []
}

function beadOp(project: ProjectId, id: string, views: Views): BoardOp {
  const value = views.bead(project, id as BeadId)
  return value ? { op: 'put', kind: 'bead', value } : { op: 'remove', kind: 'bead', id }
}

/** One op for each thing: views show the present, so a thing that changed twice would give the same op twice. */
function newestOnly(changes: readonly Change[], ops: (change: Change) => BoardOp[]): BoardOp[] {
  const byThing = new Map<string, BoardOp>()
  for (const change of changes) {
    const seen = `${change.kind} ${change.id}`
    if (byThing.has(seen)) continue
    for (const op of ops(change)) byThing.set(nameOf(op), op)
  }
  return [...byThing.values()]
}

function nameOf(op: BoardOp): string {
  if (op.op === 'remove') return `${op.kind} ${op.id}`
  return op.kind === 'status' ? op.kind : `${op.kind} ${op.value.id}`
}
