import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { PlanDraft } from './plan-draft.ts'
import { draftStore, hasTexts } from '../../../../ui/draft-store.ts'

type Of = Pick<BeadView, 'project' | 'id'>

/** Keeps typed text when a person opens another tab of the bead or another bead, or reloads. */
const drafts = draftStore<PlanDraft>('beadloom.plans', (value) =>
  hasTexts(value, 'original', 'goal', 'planMarkdown') && 'subtasks' in value && Array.isArray(value.subtasks)
    ? (value as unknown as PlanDraft)
    : null,
)
const keyOf = ({ project, id }: Of): string => JSON.stringify([project, id])

export const hasDraft = (bead: Of): boolean => drafts.get(keyOf(bead)) !== null
export const draftFor = (bead: Of): PlanDraft | null => drafts.get(keyOf(bead))
export const keepDraft = (bead: Of, draft: PlanDraft): void => drafts.keep(keyOf(bead), draft)
export const dropDraft = (bead: Of): void => drafts.forget(keyOf(bead))
