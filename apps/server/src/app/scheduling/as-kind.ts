import type { Bead } from '@beadloom/core/records/bead.ts'
import { branchName } from '@beadloom/core/records/branch.ts'
import { DEFAULT_WORK_BRANCH } from '@beadloom/core/project/branch-name.ts'
import type { RunChoice } from '@beadloom/core/records/execution.ts'
import { choiceForWork } from '@beadloom/core/execution/run-choice.ts'
import { ANSWER_ATTEMPTS } from '@beadloom/core/review/ask-step.ts'
import { defaultPlanning, type NextForBead, type PlanningSettings } from '@beadloom/core/records/planning.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { NewExecution } from '../../ports/store/executions.ts'

type Given = { bead: Bead; settings: ProjectSettings | null; chosen?: RunChoice }

/** A project whose settings are not known yet plans nothing. */
export const planningOf = (settings: ProjectSettings | null): PlanningSettings =>
  settings?.planning ?? { ...defaultPlanning, when: 'never' }

/**
 * The kind of a new execution, once it is known whether its bead is planned first. A planning execution keeps the
 * choices for the work that follows it, and whether that waits for a person.
 */
export function asKind(
  next: Exclude<NextForBead, { do: 'wait' }>,
  { bead, settings, chosen = {} }: Given,
): Pick<NewExecution, 'kind' | 'branch'> & Partial<NewExecution> {
  if (next.do === 'work')
    return {
      kind: 'work',
      branch: branchName(bead.id, bead.title),
      planVersion: next.version,
      ...choiceForWork(chosen),
    }
  const approve =
    chosen.planning?.approve ?? settings?.beads[bead.id]?.planning?.approve ?? planningOf(settings).approve
  return {
    kind: 'plan',
    branch: settings?.workBranch ?? DEFAULT_WORK_BRANCH,
    maxAttempts: ANSWER_ATTEMPTS,
    chosen: { ...choiceForWork(chosen).chosen, planning: { approve } },
  }
}
