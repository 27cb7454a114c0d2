import { brakeOf } from '@beadloom/core/dispatch/brake.ts'
import type { ProjectRules } from '@beadloom/core/dispatch/bead-reasons.ts'
import { briefly } from '@beadloom/core/dispatch/reason.ts'
import type { PlacedExecution, QueuedExecution } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Projects } from '../projects/projects.ts'
import type { ServerFacts } from '../engines/server-facts.ts'
import { planningOf } from './as-kind.ts'
import type { LiveIndex } from './live-index.ts'

/* The stored facts, in the words of the scheduler. */

export type RulesDeps = {
  index: LiveIndex
  projects: Pick<Projects, 'obstacle' | 'claimsIn'>
  facts: Pick<ServerFacts, 'engineObstacle' | 'cooldown'>
}

export function rulesOf({ index, projects, facts }: RulesDeps, row: ProjectRow, settings: ProjectSettings | null) {
  const claimsIn = projects.claimsIn(row)
  return {
    autopilot: row.autopilot ?? settings?.autopilot ?? false,
    paused: row.paused,
    brake: brakeOf(index.endings(row.id), row.autopilotSince ?? 0),
    obstacle:
      briefly(projects.obstacle(row), "the project's page") ??
      briefly(facts.engineObstacle(settings?.engine ?? null), 'the system page') ??
      facts.cooldown(settings?.model ?? null),
    epicsFirst: planningOf(settings).when !== 'never',
    ...(claimsIn !== null && { claimsIn }),
  } satisfies ProjectRules
}

/** Whether its newest execution was planning, for work that a person approves first, and the plan is not approved. */
export const isUnapproved = (index: LiveIndex, project: ProjectId, bead: BeadId): boolean =>
  index.planned(project).get(bead)?.asks === true && index.planHead(project, bead)?.approved === false

export const asRunning = (execution: Execution, engine: string): PlacedExecution => {
  const { id, project, bead, waits } = execution
  return { id, project, bead, engine, waits }
}

export const asQueued = (execution: Execution): QueuedExecution => {
  const { id, project, bead, kind, queuedAt, waits, byAutopilot = false } = execution
  return { id, project, bead, kind, queuedAt, retryAt: waitOfKind(waits, 'retry')?.at ?? null, byAutopilot }
}
