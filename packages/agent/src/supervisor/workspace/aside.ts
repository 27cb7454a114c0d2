import { basename, join } from 'node:path'
import { ASIDE } from '@beadloom/core/execution/session-order.ts'

/** What an image has for the workspace of its containers, below the supervisor's folder. */
export const asideIn = (folder: string): string => join(folder, basename(ASIDE))

/** Mode of what has been copied: who searches the whole disk does not find everything twice. It says, too, that it was. */
export const TAKEN = 0o000
