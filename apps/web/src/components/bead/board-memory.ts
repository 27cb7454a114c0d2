/** The order in which a board last showed its beads, so that a bead's page can step to the next one. */
const lists = new Map<string, () => readonly string[]>()

/** The list is read only when somebody steps through it. */
export const rememberList = (project: string, ids: () => readonly string[]): void => void lists.set(project, ids)
export const lastList = (project: string): readonly string[] | null => lists.get(project)?.() ?? null

/** The neighbour of a bead; null at the end of the list. For a bead that has left the list, the first one. */
export function stepIn(ids: readonly string[], bead: string, step: 1 | -1): string | null {
  const at = ids.indexOf(bead)
  return (at === -1 ? ids[0] : ids[at + step]) ?? null
}

/** The bead last looked at in each project: it gets the focus when the board opens again. */
const cards = new Map<string, string>()

export const lastCard = (project: string): string | null => cards.get(project) ?? null
export const rememberCard = (project: string, bead: string): void => void cards.set(project, bead)
