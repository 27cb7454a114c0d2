/**
 * The name of whoever works on a bead, as people write it. Gas Town stores an agent `mayor` of the rig `gastown` as
 * `gastown--mayor`, and `bd` since 1.3 takes the two for one: exactly two hyphens stand for a slash.
 */
export const actorName = (stored: string): string => stored.replace(/(?<![._-])--(?![._-])/g, '/')
