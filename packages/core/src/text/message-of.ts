/** What a thrown value says, whatever it is. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
