import type { ProjectProblemKind, TrackerView } from './project-api.ts'

/**
 * The cause of a sync: the server's start, a person's request, the project's adding, the end of an execution, a change
 * of its settings, or a change of the tracker or a write that was due to it.
 */
export const syncCauses = ['start', 'asked', 'added', 'execution', 'settings', 'tracker'] as const
export type SyncCause = (typeof syncCauses)[number]

/** One sync. `problem` is its last error; `waiting`: changes that the tracker still does not have after it. */
export type SyncRun = {
  at: number
  tookMs: number
  cause: SyncCause
  problem: string | null
  warnings: number
  waiting: number
}

/** `kind`: `create`, `status`, `describe`, `comment`. `nextAt` null: at the next sync. */
export type WaitingChange = { bead: string; kind: string; tries: number; nextAt: number | null; problem: string }

export type WaitingPush = { execution: string; bead: string; tries: number; nextAt: number; why: string }

/** A project's state compared with its tracker and its remote. */
export type SyncView = {
  project: string
  /** A sync is running now. */
  running: boolean
  syncedAt: number | null
  problem: string | null
  problemKind: ProjectProblemKind | null
  warnings: string[]
  tracker: TrackerView | null
  /** At most 100; `tracker.waiting` counts all. */
  queue: WaitingChange[]
  remote: {
    source: string
    baseBranch: string | null
    baseCommit: string | null
    workBranch: string
    /**
     * Commits that the base branch does not have, and that the work branch does not have, at most 1000; null: no work
     * branch.
     */
    ahead: number | null
    behind: number | null
  }
  /** Verified work that waits for the remote. */
  pushes: WaitingPush[]
  /** Newest first, at most 50, since the server's start. */
  runs: SyncRun[]
}
