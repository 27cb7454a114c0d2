import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { HubError, type Hub } from '../../ports/hub.ts'

/** The files in which two commits differ, a renamed one by both names; null: they cannot be listed. */
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
