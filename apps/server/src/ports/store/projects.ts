import type { ProjectId } from '@beadloom/core/records/ids.ts'

export interface ProjectStore {
  addProject(project: NewProject): ProjectRow
  project(id: ProjectId): ProjectRow | null
  projects(): ProjectRow[]
  updateProject(id: ProjectId, patch: Partial<ProjectPatch>): ProjectRow
  /** Removes it with everything that belongs to it. Throws `StoreError('refused')` while it has a live execution. */
  removeProject(id: ProjectId): void
}

/** `chosenBase`: the branch to start from, as chosen when adding the project; null: the repository's default. */
export type NewProject = { id: ProjectId; source: string; chosenBase?: string | null }
export type ProjectRow = ProjectPatch & { id: ProjectId; source: string; addedAt: number; chosenBase: string | null }
export type ProjectPatch = {
  name: string
  paused: boolean
  /** A person's choice over `beadloom.json`; null: as the file says. */
  autopilot: boolean | null
  /** When a person last switched autopilot on or resumed the project, milliseconds UTC; null: never. */
  autopilotSince: number | null
  /** The settings that were last read, as JSON, or null. */
  settings: string | null
  baseCommit: string | null
  /** Why it cannot be read; null: it was read. */
  problem: { kind: 'configuration' | 'repository'; text: string } | null
  warnings: string[]
  syncedAt: number | null
}
