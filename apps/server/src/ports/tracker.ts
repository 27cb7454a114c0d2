import type { Bead, BeadStatus } from '@beadloom/core/bead/bead.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/ids.ts'
import type { BeadWords } from './bead-words.ts'
import type { Hub, HubProject, TrackerBranches } from './hub.ts'
import type { TrackedBead } from './store/beads.ts'

/** The file that `bd` and Beadloom share, within a repository. */
export const ISSUES_FILE = '.beads/issues.jsonl'

/** Real trackers have a few MiB; a file beyond this is no tracker. */
export const MAX_ISSUES_BYTES = 256 * 1024 * 1024

/** Who Beadloom is in a tracker: its comments' author, its claims' assignee. */
export const ACTOR = 'beadloom'

/** Where a project's beads come from. Reading never writes; a file with broken lines still gives its good ones. */
export interface Tracker {
  /** Beads of `.beads/issues.jsonl` as text, with one warning sentence for each problem, with its line number. */
  parse(project: ProjectId, text: string): Tracked
  /** What keeps the beads of this working tree, by looking; asks `bd` for its version where it keeps a database. */
  find(folder: string): Promise<BeadsAdapter>
  /** What does when there is no working tree: the files of its branches. Never rejects. */
  ofBranch(place: BranchPlace): Promise<BeadsAdapter>
  /** What does when the working tree has nothing: the file of a commit, which is only read. */
  ofCommit: TrackerInfo
}

/** `write`: may its beads be written to? */
export type BranchPlace = {
  hub: Pick<Hub, 'trackerFile' | 'writeTracker'>
  project: HubProject
  branches: TrackerBranches
  write: boolean
}

export type Tracked = { beads: TrackedBead[]; warnings: string[] }

/**
 * - `bd`: a database of `bd` 1.0 or later, by its command line.
 * - `jsonl`: `.beads/issues.jsonl` itself, where no database keeps it.
 * - `read-only`: something else (an older `bd`, `br`, a database without its program): its exported file is read.
 * - `branch`: `.beads/issues.jsonl` of base and work branch, for projects without a working tree here.
 * - `none`: there are no beads yet.
 */
export type TrackerKind = 'bd' | 'jsonl' | 'read-only' | 'branch' | 'none'

/** `text` is a sentence for a person: what was found, and what to do if that is not what they want. */
export type TrackerInfo = { kind: TrackerKind; version: string | null; text: string; writable: boolean }

/** One place where beads are kept. Every call is bounded in time and output; what goes wrong is a `TrackerError`. */
export interface BeadsAdapter {
  readonly info: TrackerInfo
  /** Everything it has, as the lines of `issues.jsonl`; null when there is nothing to read. */
  read(): Promise<string | null>
  /** What changes when its content does, or null when there is none: a cheap look, for polling. */
  stamp(): Promise<string | null>
  /** Makes these changes in order, and says of each what became of it. Never throws for one change. */
  write(changes: readonly TrackerChange[]): Promise<ChangeOutcome[]>
}

type ChangeBase = { seq: number; rev: number; project: ProjectId; bead: BeadId }

/** What the tracker does not have yet. `seen` is its word when it was last read: another one is a person's. */
export type TrackerChange = ChangeBase &
  (
    | { kind: 'create'; content: Bead }
    /**
     * `assignee`: the tracker's when it was last read, '' for nobody, null where that is not known. `given`: closed only
     * while the bead still asks for this; null: whatever it asks for.
     */
    | {
        kind: 'status'
        status: BeadStatus
        seen: string
        assignee: string | null
        given: Partial<BeadWords> | null
        reason: string
      }
    /** A follow-up that got another entry; `was`: the description that the tracker was last seen with, null: never. */
    | { kind: 'describe'; description: string; was: string | null; labels: string[] }
    | { kind: 'comment'; execution: ExecutionId; text: string; at: number }
  )

/**
 * - `written`: the tracker has it, now or since before. `word`, of a status: the tracker's word for it.
 * - `overruled`: a person has said something else there meanwhile, and that stays. `by`: who has claimed it.
 * - `outdated`: not closed, because what it asks for has changed: these texts of it.
 * - `refused`: it will never take it; the sentence says why.
 * - `later`: not now; nothing is lost.
 */
export type ChangeOutcome =
  | { result: 'written'; word?: string }
  | { result: 'overruled'; text: string; by?: string }
  | { result: 'outdated'; changed: string[] }
  | { result: 'refused' | 'later'; text: string }

export type TrackerErrorKind = 'busy' | 'broken' | 'missing'

export class TrackerError extends Error {
  override name = 'TrackerError'
  readonly kind: TrackerErrorKind
  constructor(kind: TrackerErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The tracker's words for ours. What times out is blocked there, with the label `timeout`. */
export const wordOf = (status: BeadStatus): string =>
  ({ open: 'open', in_progress: 'in_progress', blocked: 'blocked', timeout: 'blocked', done: 'closed' })[status]

export const TIMEOUT_LABEL = 'timeout'
