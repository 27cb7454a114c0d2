import type { BudgetWait } from '../budget/wait.ts'
import type { Pause } from './pause.ts'

/** The verified work is in the hub and waits for the project's remote. Times are integer milliseconds UTC. */
export type PendingPush = { since: number; tries: number; nextAt: number; why: string }

/**
 * Work by a plan that waits for a person after a phase, without a container and without a slot. `continued`: the person
 * has continued it, and it waits for a slot. Times are integer milliseconds UTC.
 */
export type PhaseWait = { after: number; since: number; continued: boolean }

/** The data of each kind of wait. `retry`: something broke, and it begins again then, milliseconds UTC. */
type WaitData = { retry: { at: number }; push: PendingPush; phase: PhaseWait; pause: Pause; budget: BudgetWait }

export type WaitKind = keyof WaitData
/** A running execution waits for one thing at a time. */
export type Wait = { [K in WaitKind]: { kind: K } & WaitData[K] }[WaitKind]
export type WaitOf<K extends WaitKind> = Extract<Wait, { kind: K }>

/** The waits of an execution as they are stored, side by side. */
export type StoredWaits = { [K in WaitKind]: WaitData[K] | null }

/**
 * The wait with the lowest number counts: it has to end before the others matter. Until its retry, an execution does
 * nothing. During a push or between two phases it has no session, and only a session can be at a limit; one that died
 * there leaves its wait to the session that follows. Nobody is asked to raise a limit during a pause.
 */
const ranks: Record<WaitKind, number> = { retry: 0, push: 1, phase: 2, pause: 3, budget: 4 }
const ranked = (Object.keys(ranks) as WaitKind[]).toSorted((one, other) => ranks[one] - ranks[other])

/** Null: it waits for nothing. */
export function waitAmong(stored: StoredWaits): Wait | null {
  const kind = ranked.find((one) => stored[one] !== null)
  return kind === undefined ? null : ({ kind, ...stored[kind] } as Wait)
}

/** Whether an execution keeps its slot: it has no container while it waits for its remote, or between two phases. */
export const keepsSlot: Record<WaitKind, boolean> = {
  retry: true,
  push: false,
  phase: false,
  pause: true,
  budget: true,
}

/** The wait of one kind; null if it waits for something else, or for nothing. */
export const waitOfKind = <K extends WaitKind>(wait: Wait | null | undefined, kind: K): WaitOf<K> | null =>
  wait?.kind === kind ? (wait as WaitOf<K>) : null

/** The wait for an answer to its agent's question. */
type Question = WaitOf<'pause'> & { question: string }

/** Waits that may be for a person's answer. */
export type PersonsWait = WaitOf<'phase' | 'budget'> | Question

/** The open question of its agent; null if it waits for no answer. */
export const questionIn = (wait: Wait | null | undefined): string | null =>
  wait?.kind === 'pause' && !wait.resumed ? (wait.question ?? null) : null

/** Whether a person has to answer before it continues. */
export function waitsForPerson(wait: Wait | null | undefined): wait is PersonsWait {
  switch (wait?.kind) {
    case 'phase':
      return !wait.continued
    case 'budget':
      return wait.granted !== true
    // A person who has paused it knows that it waits.
    case 'pause':
      return questionIn(wait) !== null
    case 'retry':
    case 'push':
    case undefined:
      return false
  }
}
