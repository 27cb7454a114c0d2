/** The file in a repository in which beads travel between Beadloom, `bd` and people. */
export const TRACKER_FILE = '.beads/issues.jsonl'

/** `oldPath`: of a file that was renamed, its former name. */
type ChangedFile = { path: string; oldPath: string | null }

/**
 * Do two commits differ in nothing but the tracker's file? What was verified of one of them then holds for the other.
 * Only that very file: anything else below `.beads` may be what a test reads.
 */
export const differOnlyInTracker = (files: readonly ChangedFile[]): boolean =>
  files.every(({ path, oldPath }) => path === TRACKER_FILE && (oldPath === null || oldPath === TRACKER_FILE))
