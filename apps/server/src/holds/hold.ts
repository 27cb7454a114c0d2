import type { UsedUp } from '@beadloom/core/budget/used-up.ts'

/** A reason for which calls of a session wait for a person. */
export type Hold = {
  /** Null: nothing has to wait for it now. Stores that something waits, once. */
  inForce: () => InForce | null
  /** A person has let it go, and it waits for a slot. */
  waitsForSlot: () => void
  /** It is over because nobody answered: its execution ends, and waits for no slot. */
  endsNow?: () => boolean
  /** The call is made: nothing waits any more. */
  over: () => void | Promise<void>
}

export type InForce = {
  /** Milliseconds UTC. */
  until: number
  /** Nobody has answered by `until`: the limit for which the call is refused; null if its execution is stopped. */
  unanswered: () => UsedUp | null
}
