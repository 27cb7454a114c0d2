import { hash } from 'node:crypto'
import type { TrackedBead } from './store/beads.ts'

/**
 * Changes when any field of the bead does; over all fields, so that a better parse of the same text counts as a change.
 */
export function fingerprintOf(bead: TrackedBead): string {
  const { project: _, ...content } = bead
  return hash('sha256', JSON.stringify(content), 'base64url')
}
