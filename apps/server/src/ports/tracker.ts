import type { BeadEdit, EditedField } from '@beadloom/core/bead/bead-edit.ts'
import type { Bead, BeadStatus } from '@beadloom/core/records/bead.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { BeadWords } from './bead-words.ts'
import type { Hub, HubProject } from './hub.ts'
import type { MergeTracker, TrackerBranches } from './hub/merges.ts'
import type { Fingerprinted } from './store/beads.ts'
import type {
  BeadPick,
  BlocksRead,
  BlockText,
  LinesScan,
  LinesWanted,
  PickedBeads,
  TrackerMemory,
} from './tracker-blocks.ts'

/** The file that `bd` and Beadloom share, within a repository. */
export const ISSUES_FILE = '.beads/issues.jsonl'

/** The settings of `bd` in a repository. */
export const BD_CONFIG = '.beads/config.yaml'
export const MOST_BD_CONFIG = 100_000

/** Real trackers have a few MiB; a file above this limit is not read. */
export const MAX_ISSUES_BYTES = 256 * 1024 * 1024

/** The source of a project's beads. Reading never writes; from a file with broken lines the good ones are read. */
export interface Tracker {
  /**
   * Stores the differences of a tracker's file, and returns a warning with its line number for each problem. Throws
   * `TrackerError`; then the next reading does the rest.
   */
  read(reading: TrackerReading): Promise<{ warnings: string[]; memory: TrackerMemory | null }>
  /** Finds out which tracker has this working tree's beads; asks `bd` for its version if it keeps a database there. */
  find(folder: string): Promise<BeadsAdapter>
  /** Another branch that has the beads, by the base branch's settings of `bd`; null: the base branch has them. */
  elsewhere(config: string, baseBranch: string): (TrackerInfo & { branch: string }) | null
  /** The tracker of a project without a working tree: the file on its branches. Never rejects. */
  ofBranch(place: BranchPlace): Promise<BeadsAdapter>
  /** The tracker for a working tree without one: the file of a commit, which is only read. */
  ofCommit: TrackerInfo
}

/** Operations on the text of `.beads/issues.jsonl`, which may be anybody's. */
export interface Issues {
  readBlocks(project: ProjectId, texts: readonly BlockText[]): Promise<BlocksRead>
  /** Beads of blocks that were read before. */
  beadsIn(project: ProjectId, picks: readonly BeadPick[]): Promise<PickedBeads>
  /**
   * The text with these changes, in order, and the outcome of each. `now`: milliseconds UTC. `comments`: the highest
   * number of a comment, if the text is only a part of the file.
   */
  edit(text: string, changes: readonly TrackerChange[], now: number, comments?: number): Promise<EditedIssues>
  /** Finds the wanted beads in some whole lines of a file; null: it takes too much work. */
  scan(bytes: Uint8Array, wanted: LinesWanted): Promise<LinesScan | null>
  merge: MergeTracker
}

/** `changed`: the changed beads' lines as they are now; null: the bead has none. */
export type EditedIssues = {
  text: string
  outcomes: ChangeOutcome[]
  changed: { id: string; line: string | null }[]
}

/** `write`: whether its beads may be written. */
export type BranchPlace = {
  hub: Pick<Hub, 'trackerFile' | 'writeTracker'>
  project: HubProject
  branches: TrackerBranches
  write: boolean
}

/** `memory`: the memory of the project's last reading; null: there was none. */
export type TrackerReading = {
  project: ProjectId
  file: TrackerFile
  memory: TrackerMemory | null
  store: TrackedStore
}

/**
 * The lines of a tracker's file as they come, once or more often. The bytes of a piece are used before the next one is
 * asked for. `problemIn`: why these lines make the whole file unreliable, or null. `close`: called once.
 */
export type TrackerFile = {
  pieces: () => AsyncIterable<Uint8Array>
  close?: () => Promise<void>
  problemIn?: (lines: Uint8Array) => string | null
}

/** The stored beads of a project. */
export interface TrackedStore {
  /** The stored fingerprint of each; null: there is none, or the bead has to be read again. */
  fingerprints(ids: readonly string[]): (string | null)[]
  /** Beads that have to be read from the tracker again. */
  unsettled(): BeadId[]
  take(beads: readonly Fingerprinted[]): Promise<unknown>
  /** Stored beads of the tracker in order, after this id. */
  ids(after: string, limit: number): BeadId[]
  /** Drops beads that are no longer in the tracker; returns those that somebody works on, to be dropped later. */
  drop(ids: readonly string[]): Promise<string[]>
}

/**
 * - `bd`: a database of `bd` 1.0 or later, through its command line.
 * - `jsonl`: `.beads/issues.jsonl` itself, when there is no database.
 * - `read-only`: something else (an older `bd`, `br`, a database without its program): its exported file is read.
 * - `branch`: `.beads/issues.jsonl` of base and work branch, for projects without a working tree here.
 * - `none`: there is no tracker yet.
 */
export type TrackerKind = 'bd' | 'jsonl' | 'read-only' | 'branch' | 'none'

/**
 * `text` is a sentence for a person: the finding, and what to do if that is not what they want. `fix`: something is
 * wrong, and this is the remedy; it is in `text` too. `branch`: the beads are on this one, not where they were found.
 */
export type TrackerInfo = {
  kind: TrackerKind
  version: string | null
  text: string
  writable: boolean
  fix?: string
  branch?: string
}

/** One place where beads are kept. Every call is bounded in time and output; failures are `TrackerError`s. */
export interface BeadsAdapter {
  readonly info: TrackerInfo
  /**
   * All beads, as the lines of `issues.jsonl`; null when there is nothing to read. `last`: the stamp of the last
   * reading; it shows whether somebody is writing the file.
   */
  read(last?: string | null): Promise<TrackerFile | null>
  /** Changes whenever the content does; null when there is none. Cheap enough for polling. */
  stamp(): Promise<string | null>
  /** Makes these changes in order and returns the outcome of each. Never throws because of a single change. */
  write(changes: readonly TrackerChange[]): Promise<ChangeOutcome[]>
}

type ChangeBase = { seq: number; rev: number; project: ProjectId; bead: BeadId }

/**
 * A change that the tracker does not have yet. `seen` is its status at the last read: a different one is a person's.
 */
export type TrackerChange = ChangeBase &
  (
    | { kind: 'create'; content: Bead }
    /**
     * `failed`: in progress, and nobody works on it. `labelled`: Beadloom itself added the label that says so. `held`:
     * Beadloom works on it now, or is about to. `assignee`: the tracker's at the last read, '' for nobody, null when
     * unknown. `given`: the bead is closed only if its texts are still these; null: in any case.
     */
    | {
        kind: 'status'
        status: BeadStatus
        failed: boolean
        labelled: boolean
        held: boolean
        seen: string
        assignee: string | null
        given: Partial<BeadWords> | null
        reason: string
      }
    /** A follow-up that got another entry; `was`: the description last seen in the tracker, null: never. */
    | { kind: 'describe'; description: string; was: string | null; labels: string[] }
    /** People's changes here, field by field. */
    | { kind: 'edit'; edits: readonly BeadEdit[] }
    | { kind: 'comment'; execution: ExecutionId; text: string; at: number }
  )

/**
 * - `written`: the tracker has it, from now or from before. `word`: the tracker's status, if that was changed.
 *   `overruled`: the parts of an edit that were left out.
 * - `overruled`: a person has decided otherwise there meanwhile, and that is kept. `by`: the claimant.
 * - `outdated`: not closed, because these of its texts have changed.
 * - `refused`: it can never be written; the sentence says why.
 * - `later`: not now; nothing is lost.
 */
export type ChangeOutcome =
  | { result: 'written'; word?: string; overruled?: OverruledField[] }
  | { result: 'overruled'; text: string; by?: string }
  | { result: 'outdated'; changed: string[] }
  | { result: 'refused' | 'later'; text: string }

/** A field that stays as the tracker has it, and why. */
export type OverruledField = { field: EditedField; text: string }

export type TrackerErrorKind = 'busy' | 'broken' | 'missing'

export class TrackerError extends Error {
  override name = 'TrackerError'
  readonly kind: TrackerErrorKind
  constructor(kind: TrackerErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/**
 * The tracker's status for ours. A bead that timed out is `blocked` there, with the label `timeout`; one that failed is
 * `in_progress`, with the label `failed` and without Beadloom as its assignee.
 */
export const wordOf = (status: BeadStatus): string =>
  ({ open: 'open', in_progress: 'in_progress', blocked: 'blocked', timeout: 'blocked', done: 'closed' })[status]
