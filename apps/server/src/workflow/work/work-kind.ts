import { beadAfterEnd } from '../ending/bead-after-end.ts'
import { noteDiffSize } from '../ending/diff-size.ts'
import type { WorkflowKind } from '../workflow.ts'
import { storedOf } from '../../execution/live-execution.ts'
import { PhasedWorkflow } from '../phases/phased-workflow.ts'
import { settingsOfWork } from './work-settings.ts'
import { WorkWorkflow } from './work-workflow.ts'

/** An agent does a bead: verified, merged and published. */
export const work: WorkflowKind = {
  settings: settingsOfWork,
  workspace: ({ network }) => ({ network, keepsWork: true }),
  begin: (live, sandboxes, environments) =>
    storedOf(live).planVersion === undefined
      ? new WorkWorkflow(live, sandboxes.main, environments)
      : new PhasedWorkflow(live, sandboxes, environments),
  worded: (_, end) => end,
  afterEnd: async (deps, execution) => {
    await beadAfterEnd(deps, execution)
    await noteDiffSize(deps, execution)
  },
}
