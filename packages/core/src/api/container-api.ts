/** A container that outlives its execution because it may hold work that is saved nowhere else. */
export type KeptContainer = {
  name: string
  project: string
  execution: string
  bead: string
  /** Since when it is kept, milliseconds UTC. */
  since: number
  /** Why it could not be saved: a sentence. */
  why: string
  /** What was written in it; null: not known. */
  bytes: number | null
  /** How often saving has failed, and when it is tried again (milliseconds UTC). */
  tries: number
  nextTryAt: number | null
}

/** What became of a kept container that was to be saved now: the ref that has its work, or null when nothing was left. */
export type SavedContainer = { saved: string | null }
