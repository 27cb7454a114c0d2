import type { ProjectId } from '@beadloom/core/records/ids.ts'

/** Notices of the inbox that people have dismissed; the newest 500 of a project are kept. */
export interface DismissalStore {
  /** Oldest first. */
  dismissed(project: ProjectId): string[]
  /** Another number after every change; 0: nothing was ever dismissed. */
  dismissals(project: ProjectId): number
  /** Unknown names are fine: only the dashboard knows the names of notices. */
  changeDismissed(project: ProjectId, change: { dismiss: readonly string[]; restore: readonly string[] }): void
}
