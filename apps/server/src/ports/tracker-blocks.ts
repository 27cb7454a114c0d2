import type { TrackedBead } from './store/beads.ts'

/*
 * A tracker's file in blocks of whole lines. The facts about a block are kept while its text stays the same; the text
 * itself is not.
 */

/** `first`: the number of its first line in the file. */
export type BlockText = { bytes: Uint8Array; first: number }

/** Lines are counted from the block's own first one, which is 0. */
export type BlockFacts = {
  lines: number
  /** Ids of its beads in their order, each between two line feeds. */
  ids: string
  /** The line of each of them; null: they are the first lines, one after the other. */
  at: number[] | null
  /** Unreadable lines that still show whose they are. */
  broken: { id: string; line: number }[]
  /** Lines that cannot be read. */
  bad: number[]
  /** Sentences for a person who has to mend something; they follow "line 7". */
  notes: Note[]
  /** Beads with a status that nobody knows. */
  odd: { id: string; line: number; word: string }[]
  /** Beads that have not ended, with the beads that they wait for. */
  waits: Wait[]
}
export type Note = { line: number; text: string }
export type Wait = { id: string; line: number; on: string[]; types: string[] }

/** With the fingerprints of its beads, and of the stand-ins for broken lines. */
export type BlockRead = { facts: BlockFacts; prints: string[]; standIns: string[] }

/** `refused`: it takes too much work; the sentence says where. */
export type BlocksRead = { blocks: BlockRead[] } | { refused: string }

/** The beads on some `lines` of a block; `broken`: unreadable lines, which are not tried again. */
export type BeadPick = BlockText & { lines: number[]; broken: number[] }

export type PickedBeads = { beads: TrackedBead[] } | { refused: string }

/** A block's hash and facts, without its text. */
export type KnownBlock = { hash: string; facts: BlockFacts }

/** Consecutive blocks, known as one: the place of the first, how many, their bytes, and a tag of these. */
export type BlockGroup = { first: number; count: number; bytes: number; tag: string }

/**
 * The server's memory of a file between two readings, never on disk. The file's beads are stored by then. `later`:
 * beads that the file has lost and that could not be taken away yet.
 */
export type TrackerMemory = {
  blocks: readonly KnownBlock[]
  /** In the order of the blocks; some blocks are in no group. */
  groups: readonly BlockGroup[]
  /** Ids on more than one line: the last one counts, and another may become the last. */
  twice: ReadonlySet<string>
  /** Beads that others wait for and that are not in the file. */
  missing: ReadonlySet<string>
  /** Whether some beads wait for each other. */
  isCyclic: boolean
  later: readonly string[]
}

/** Beads whose lines are to be changed or `added`. `comments`: whether the highest number of a comment is needed. */
export type LinesWanted = { ids: ReadonlySet<string>; added: readonly string[]; comments: boolean }

/** Facts about some whole lines of a file, for a change of it. Places are in bytes. */
export type LinesScan = {
  lines: number
  /** The first line that is a conflict marker, from 0, or -1. */
  conflict: number
  /** The bytes are UTF-8. */
  isText: boolean
  found: { id: string; at: number; bytes: Uint8Array }[]
  /** The place of the first bead with a greater id. */
  places: { id: string; at: number }[]
  first: string | null
  last: string | null
  isSorted: boolean
  /** Number of a comment. */
  highest: number
}
