import type { ProjectId } from '@beadloom/core/ids.ts'
import { differOnlyInTracker } from '@beadloom/core/bead/tracker-file.ts'
import { HubError, type Hub } from '../ports/hub.ts'

/** Whether two commits hold the same work: beads written between them do not change what was judged. */
export async function isSameWork(
  hub: Pick<Hub, 'diff'>,
  project: ProjectId,
  one: string,
  other: string,
): Promise<boolean> {
  if (one === other) return true
  try {
    return differOnlyInTracker(await hub.diff(project, one, other))
  } catch (error) {
    if (error instanceof HubError) return false // a commit that is gone, or more differences than can be listed
    throw error
  }
}

/** The files in which two commits differ, by both names of one that was renamed; null: they cannot be listed. */
export async function changedPaths(
  hub: Pick<Hub, 'diff'>,
  project: ProjectId,
  one: string,
  other: string,
): Promise<string[] | null> {
  try {
    const files = await hub.diff(project, one, other)
    return files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]))
  } catch (error) {
    if (error instanceof HubError) return null
    throw error
  }
}
