import type { ProjectId } from '@beadloom/core/ids.ts'

export interface ProjectStore {
  addProject(project: NewProject): ProjectRow
  project(id: ProjectId): ProjectRow | null
  projects(): ProjectRow[]
  updateProject(id: ProjectId, patch: Partial<ProjectPatch>): ProjectRow
  /** With everything that belongs to it. Throws `StoreError('refused')` while it has a live execution. */
  removeProject(id: ProjectId): void
}

/** `chosenBase`: the branch that whoever added it wants work to start from; null: the repository's own say. */
export type NewProject = { id: ProjectId; source: string; chosenBase?: string | null }
export type ProjectRow = ProjectPatch & { id: ProjectId; source: string; addedAt: number; chosenBase: string | null }
export type ProjectPatch = {
  name: string
  paused: boolean
  /** A person's choice over `beadloom.json`; null: as the file says. */
  autopilot: boolean | null
  /** When a person last switched it on or resumed the project, milliseconds UTC; null: nobody has. */
  autopilotSince: number | null
  /** The settings that were last read, as JSON, or null. */
  settings: string | null
  baseCommit: string | null
  /** Why it cannot be read; null: it could. */
  problem: { kind: 'configuration' | 'repository'; text: string } | null
  warnings: string[]
  syncedAt: number | null
}
