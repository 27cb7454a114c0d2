/** The file in a repository that carries beads between Beadloom, `bd` and people. */
export const TRACKER_FILE = '.beads/issues.jsonl'

/** `oldPath`: the former name of a file that was renamed. */
type ChangedFile = { path: string; oldPath: string | null }

/**
 * Whether two commits differ only in the tracker's file: then a verification of one holds for the other. Only that very
 * file counts, since a test may read anything else below `.beads`.
 */
export const differOnlyInTracker = (files: readonly ChangedFile[]): boolean =>
  files.every(({ path, oldPath }) => path === TRACKER_FILE && (oldPath === null || oldPath === TRACKER_FILE))
