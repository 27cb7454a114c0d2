export type TextField = 'title' | 'description' | 'acceptance'
/** `was`: the text that stood there when typing began. */
export type Draft = { was: string; text: string }
type Of = { project: string; id: string }

/** While the page lives: an editor that was closed by a slip has lost nothing. */
const kept = new Map<string, Draft>()

const nameOf = ({ project, id }: Of, field: TextField): string => `${project} ${id} ${field}`

export const draftOf = (bead: Of, field: TextField): Draft | null => kept.get(nameOf(bead, field)) ?? null
export const keepDraft = (bead: Of, field: TextField, draft: Draft): void => void kept.set(nameOf(bead, field), draft)
export const forgetDraft = (bead: Of, field: TextField): void => void kept.delete(nameOf(bead, field))
