/** "1 bead", "2 beads". */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
