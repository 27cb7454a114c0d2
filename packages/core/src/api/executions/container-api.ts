/** A container that outlives its execution because it may hold work that is saved nowhere else. */
export type KeptContainer = {
  name: string
  project: string
  execution: string
  bead: string
  /** The time since which it is kept, milliseconds UTC. */
  since: number
  /** Why it could not be saved: a sentence. */
  why: string
  /** The size of everything written in it; null: not known. */
  bytes: number | null
  /** The failed tries to save it, and the time of the next one (milliseconds UTC). */
  tries: number
  nextTryAt: number | null
}

/** The result of saving a kept container now: the ref with its work, or null if nothing was left to save. */
export type SavedContainer = { saved: string | null }
