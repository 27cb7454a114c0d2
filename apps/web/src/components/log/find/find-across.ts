import type { FindQuery } from './log-search.ts'

/** Find across all sessions of an execution; one of them is shown. */
export type FindAcross = {
  execution: string
  /** Ids of all sessions that can be opened, in reading order. */
  order: readonly string[]
  /** Whether one of the sessions still prints. */
  growing: boolean
  kept: KeptFind
  /** Shows another session. */
  onSession: (session: string) => void
}

/** The first match to show in the next session, and whether the person was typing. */
type Arrival = { at: 'first' | 'last'; typing: boolean }

/** Carries a search from one session to the next: each has its own pane, which forgets. */
export class KeptFind {
  #kept: { session: string; query: FindQuery; arrival: Arrival } | null = null

  keep(session: string, query: FindQuery, arrival: Arrival): void {
    this.#kept = { session, query, arrival }
  }

  /** The search kept for this session; null if none. */
  of(session: string): { query: FindQuery; arrival: Arrival } | null {
    return this.#kept?.session === session ? this.#kept : null
  }

  /** The search has reached its session: opening that session again later starts fresh. */
  arrived(session: string): void {
    if (this.#kept?.session === session) this.#kept = null
  }
}
