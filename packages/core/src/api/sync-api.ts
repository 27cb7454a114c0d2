import type { ProjectProblemKind, TrackerView } from './api.ts'

/**
 * Why a project was read: at the server's start, because a person asked, when it was added, after an execution, after
 * a change of its settings, or because the tracker has changed or something was due to be written to it.
 */
export const syncCauses = ['start', 'asked', 'added', 'execution', 'settings', 'tracker'] as const
export type SyncCause = (typeof syncCauses)[number]

/** One sync. `problem` is its last error; `waiting`: changes that the tracker still lacks after it. */
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

/** How far a project is in step with its tracker and its remote. */
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
    /** Commits that the base branch lacks, and that the work branch lacks, at most 1000; null: no work branch. */
    ahead: number | null
    behind: number | null
  }
  /** Verified work that waits for the remote. */
  pushes: WaitingPush[]
  /** Newest first, at most 50, since the server's start. */
  runs: SyncRun[]
}
