import { basename, join } from 'node:path'
import { ASIDE } from '@beadloom/core/execution/session-order.ts'

/** The folder, below the supervisor's, in which an image keeps the workspace for its containers. */
export const asideIn = (folder: string): string => join(folder, basename(ASIDE))

/**
 * Mode of the aside folder after it was copied: a search of the whole disk does not find everything twice. It also
 * marks the copy as done.
 */
export const TAKEN = 0o000
