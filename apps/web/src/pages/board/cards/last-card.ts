/** The bead that was looked at last in each project: who comes back to the board finds the focus there. */
const cards = new Map<string, string>()

export const lastCard = (project: string): string | null => cards.get(project) ?? null
export const rememberCard = (project: string, bead: string): void => void cards.set(project, bead)
