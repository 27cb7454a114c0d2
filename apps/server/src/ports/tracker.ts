import type { ProjectId } from '@beadloom/core/ids.ts'
import type { TrackedBead } from './store.ts'

/** Where a project's beads come from. Reading never writes; a file with broken lines still gives its good ones. */
export interface Tracker {
  /** Beads of `.beads/issues.jsonl` as text, with one warning sentence for each problem, with its line number. */
  parse(project: ProjectId, text: string): Tracked
}

export type Tracked = { beads: TrackedBead[]; warnings: string[] }
