/**
 * The name of a person or agent that works on a bead, as people write it. Gas Town stores an agent `mayor` of the rig
 * `gastown` as `gastown--mayor`, and `bd` since 1.3 treats both names as one: exactly two hyphens mean a slash.
 */
export const actorName = (stored: string): string => stored.replace(/(?<![._-])--(?![._-])/g, '/')
