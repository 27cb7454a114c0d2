/** The order in which a board showed its beads at last, so that a bead's page can go on to the next one of them. */
const lists = new Map<string, () => readonly string[]>()

/** The list is asked for only when somebody steps through it. */
export const rememberList = (project: string, ids: () => readonly string[]): void => void lists.set(project, ids)
export const lastList = (project: string): readonly string[] | null => lists.get(project)?.() ?? null

/** The neighbour of a bead; null at the end of the list. Who is not in it (any more) goes on at its start. */
export function stepIn(ids: readonly string[], bead: string, step: 1 | -1): string | null {
  const at = ids.indexOf(bead)
  return (at === -1 ? ids[0] : ids[at + step]) ?? null
}

/** The bead that was looked at last in each project: who comes back to the board finds the focus there. */
const cards = new Map<string, string>()

export const lastCard = (project: string): string | null => cards.get(project) ?? null
export const rememberCard = (project: string, bead: string): void => void cards.set(project, bead)
