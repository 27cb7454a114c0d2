import type { FindQuery } from './log-search.ts'

/** Finding in all sessions of an execution, of which one is shown. */
export type FindAcross = {
  execution: string
  /** The ids of all that can be opened, in the order in which they are read. */
  order: readonly string[]
  /** One of them still prints. */
  growing: boolean
  kept: KeptFind
  /** Shows another session. */
  onSession: (session: string) => void
}

/** Where a find begins in the session that it has just come to. */
type Arrival = { at: 'first' | 'last'; typing: boolean }

/** What is looked for, from one session to the next: each has a pane of its own, which forgets. */
export class KeptFind {
  #kept: { session: string; query: FindQuery; arrival: Arrival } | null = null

  keep(session: string, query: FindQuery, arrival: Arrival): void {
    this.#kept = { session, query, arrival }
  }

  /** For the session that it was kept for. */
  of(session: string): { query: FindQuery; arrival: Arrival } | null {
    return this.#kept?.session === session ? this.#kept : null
  }

  /** It has come there: who opens the session again later begins anew. */
  arrived(session: string): void {
    if (this.#kept?.session === session) this.#kept = null
  }
}
