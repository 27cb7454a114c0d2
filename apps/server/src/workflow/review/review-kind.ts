import type { WorkflowKind } from '../workflow.ts'
import { settingsOfReview } from './review-settings.ts'
import { wordedForReview } from './review-words.ts'
import { ReviewWorkflow } from './review-workflow.ts'

/** A reviewer looks at a pinned commit and answers in one document. Its bead stays as it is. */
export const review: WorkflowKind = {
  settings: (project) => settingsOfReview(project),
  // A network of its own, and nothing to push.
  workspace: () => ({ network: 'none', keepsWork: false }),
  begin: (live, { main }, environments) => new ReviewWorkflow(live, main, environments),
  worded: wordedForReview,
  afterEnd: async ({ store }, { id, startedAt }) => {
    if (startedAt !== null) await store.fileReview(id)
  },
}
