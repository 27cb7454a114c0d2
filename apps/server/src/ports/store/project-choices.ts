import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectOverrides } from '@beadloom/core/project/project-overrides.ts'

/** People's choices for a project over its `beadloom.json`, with earlier revisions. */
export interface ProjectChoices {
  /** Revision 0: nothing was ever chosen. */
  overrides(project: ProjectId): ChosenSettings
  /** Newest first; the first one is in force. */
  overridesHistory(project: ProjectId, limit: number): (ChosenSettings & { at: number })[]
  /** False, and nothing changed, if `revision` is no longer the newest. */
  setOverrides(project: ProjectId, revision: number, values: ProjectOverrides): boolean
}

export type ChosenSettings = { revision: number; values: ProjectOverrides }
