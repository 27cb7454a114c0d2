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
