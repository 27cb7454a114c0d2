import { draftStore, hasTexts } from '../../../ui/draft-store.ts'

export type TextField = 'title' | 'description' | 'acceptance'
/** `was`: the stored text when typing began. */
export type Draft = { was: string; text: string }
type Of = { project: string; id: string }

const drafts = draftStore<Draft>('beadloom.edits', (value) => (hasTexts(value, 'was', 'text') ? value : null))

const nameOf = ({ project, id }: Of, field: TextField): string => `${project} ${id} ${field}`

export const draftOf = (bead: Of, field: TextField): Draft | null => drafts.get(nameOf(bead, field))
export const keepDraft = (bead: Of, field: TextField, draft: Draft): void => drafts.keep(nameOf(bead, field), draft)
export const forgetDraft = (bead: Of, field: TextField): void => drafts.forget(nameOf(bead, field))
