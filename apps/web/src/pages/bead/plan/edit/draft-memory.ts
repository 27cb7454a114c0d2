import type { BeadView } from '@beadloom/core/api/api.ts'
import type { PlanDraft } from './plan-draft.ts'

type Of = Pick<BeadView, 'project' | 'id'>

/** As long as the page lives: another tab of the bead, or another bead, must not cost what was typed. */
const drafts = new Map<string, PlanDraft>()
const keyOf = ({ project, id }: Of): string => JSON.stringify([project, id])

export const hasDraft = (bead: Of): boolean => drafts.has(keyOf(bead))
export const draftFor = (bead: Of): PlanDraft | null => drafts.get(keyOf(bead)) ?? null
export const keepDraft = (bead: Of, draft: PlanDraft): void => void drafts.set(keyOf(bead), draft)
export const dropDraft = (bead: Of): void => void drafts.delete(keyOf(bead))
