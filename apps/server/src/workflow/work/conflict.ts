import { beadOfMessage } from '@beadloom/core/records/branch.ts'
import { isBeadId, type BeadId } from '@beadloom/core/records/ids.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { Conflict } from '../../publish/integrate.ts'

const MOST_FILES_SAID = 10

/** `ofWork`: the other side is the hub's work branch. */
export type KnownConflict = Pick<Conflict, 'branch' | 'files' | 'own' | 'other'> & { ofWork: boolean }

/** The conflict in a stored event; null: it has none, or is of an older form. */
export function conflictIn(data: unknown): KnownConflict | null {
  if (!isObject(data)) return null
  const { branch, files, own, other, ours } = data
  if (typeof branch !== 'string' || typeof own !== 'string' || typeof other !== 'string' || !Array.isArray(files))
    return null
  return { branch, files: files.map(String), own, other, ofWork: other === ours }
}

/** "main has other changes in a.ts and 3 more files". */
export function otherChanges({ branch, files }: Pick<Conflict, 'branch' | 'files'>): string {
  const more = files.length > MOST_FILES_SAID ? ` and ${files.length - MOST_FILES_SAID} more files` : ''
  return `${branch} has other changes in ${files.slice(0, MOST_FILES_SAID).join(', ')}${more}`
}

/** The other beads of these commits, each once. */
export const otherBeads = (commits: readonly { subject: string }[], own: BeadId): BeadId[] =>
  [...new Set(commits.flatMap(({ subject }) => beadOfMessage(subject) ?? []))]
    .filter(isBeadId)
    .filter((id) => id !== own)
