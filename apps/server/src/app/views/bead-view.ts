import type { BeadCard, BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Bead, BeadDependency, ListedBead } from '@beadloom/core/records/bead.ts'
import { originOf } from '@beadloom/core/bead/inside.ts'
import { hiddenOnBoard, remindedOf } from '@beadloom/core/bead/ready.ts'
import type { BeadId } from '@beadloom/core/records/ids.ts'
import { shortened } from '@beadloom/core/text/shortened.ts'
import type { Clock } from '../../process/clock.ts'
import type { LiveIndex } from '../scheduling/live-index.ts'
import type { ScheduleMemory } from '../scheduling/schedule-memory.ts'

export type BeadViewDeps = { index: LiveIndex; schedule: ScheduleMemory; clock: Clock }

/** A bead as its card shows it. */
export function beadCard({ index, schedule, clock }: BeadViewDeps, bead: ListedBead): BeadCard {
  const { project, id, title, status, trackerStatus, priority, type, labels, updatedAt, createdAt } = bead
  const parent = bead.dependencies.find((edge) => edge.type === 'parent-child')?.dependsOn
  const assignee = bead.claimedBy || bead.assignee
  const review = index.verdict(project, id)
  const head = index.planHead(project, id)
  const target = ({ dependsOn }: BeadDependency) => index.beads(project).get(dependsOn as BeadId)
  const reminded = remindedOf(bead, target)
  const origin = originOf(bead, target)
  const refused = index.refused(project, id)
  return {
    project,
    id,
    title,
    status,
    trackerStatus,
    priority,
    type,
    labels,
    updatedAt,
    createdAt,
    hidden: hiddenOnBoard(bead),
    ready: schedule.isReady(project, id, clock.now()),
    reason: schedule.reason(project, id),
    execution: index.planning(project, id) ?? index.newestExecution(project, id),
    ...(review === null ? {} : { review }),
    ...(head === null ? {} : { plan: head }),
    ...(bead.baseBranch === undefined ? {} : { baseBranch: bead.baseBranch }),
    ...(bead.failed ? { failed: true as const } : {}),
    ...(reminded === null ? {} : { reminderOf: reminded.id }),
    ...(origin === null ? {} : { followUpOf: origin.id }),
    ...(parent === undefined ? {} : { parent }),
    ...(assignee ? { assignee } : {}),
    ...(refused.length === 0 ? {} : { refused: [...refused] }),
  }
}

/** A bead may depend on thousands of others, each with a title; its own title is shown whole. */
const LONGEST_TITLE = 500

/** A bead as its page shows it: the card, its description, its dependencies in both directions, its executions. */
export function beadView(deps: BeadViewDeps, bead: Bead, executions: ExecutionView[]): BeadView {
  const beads = deps.index.beads(bead.project)
  const dependencies = bead.dependencies.map(({ dependsOn, type, met }) => {
    const target = beads.get(dependsOn as BeadId)
    return {
      id: dependsOn,
      type,
      status: target?.status ?? ('missing' as const),
      ...(met ? { met } : {}),
      ...(target?.failed ? { failed: true as const } : {}),
      title: target ? shortened(target.title, LONGEST_TITLE) : null,
    }
  })
  const dependents = [...beads.values()].flatMap((other) =>
    other.dependencies
      .filter((edge) => edge.dependsOn === bead.id)
      .map(({ type }) => ({
        id: other.id,
        type,
        status: other.status,
        ...(other.failed ? { failed: true as const } : {}),
        title: shortened(other.title, LONGEST_TITLE),
      })),
  )
  return { ...beadCard(deps, bead), description: bead.description, dependencies, dependents, executions }
}
