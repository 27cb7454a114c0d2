import type { Execution } from '@beadloom/core/records/execution.ts'
import { chosenFreshStarts } from '@beadloom/core/execution/fresh-starts/fresh-starts.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { withAgent } from '../../sandbox/agent-order.ts'
import { beadAfterEnd } from '../ending/bead-after-end.ts'
import { noteDiffSize } from '../ending/diff-size.ts'
import type { WorkflowKind } from '../workflow.ts'
import { storedOf } from '../../execution/live-execution.ts'
import { PhasedWorkflow } from '../phases/phased-workflow.ts'
import { WorkWorkflow } from './work-workflow.ts'

/** An agent does a bead: verified, merged and published. */
export const work: WorkflowKind = {
  settings: settingsOfWork,
  workspace: ({ network }) => ({ network, keepsWork: true }),
  begin: (live, workspace, environments, others) =>
    storedOf(live).planVersion === undefined
      ? new WorkWorkflow(live, workspace, environments)
      : new PhasedWorkflow(live, workspace, environments, others),
  worded: (_, end) => end,
  afterEnd: async (deps, execution) => {
    await beadAfterEnd(deps, execution)
    await noteDiffSize(deps, execution)
  },
}

/** A person's choice for this execution alone counts more than the project's settings for the bead. */
function settingsOfWork(settings: ProjectSettings, { chosen, bead }: Execution): ProjectSettings {
  if (!chosen) return settings
  const { agent, model } = chosen
  const { [bead]: own, ...others } = settings.beads
  return {
    ...(agent ? withAgent(settings, agent) : settings),
    model: model ?? settings.model,
    freshStarts: chosenFreshStarts(settings.freshStarts, chosen),
    beads: agent ? { ...others, ...(own?.command && { [bead]: { command: own.command } }) } : settings.beads,
  }
}
