import { createStore } from 'zustand/vanilla'

/** Somebody who comes back within this time has not been away. */
export const AWAY_MS = 30 * 60_000

/**
 * Milliseconds UTC. `before`: when the visit before this one ended; null: there was none. `last`: of this one, so far.
 * `told`: what happened in between has been read.
 */
export type Looks = { before: number | null; last: number; told: boolean }

/** A look now: of the same visit, or the first of a new one. */
export function lookedAgain(looks: Looks | null, now: number): Looks {
  if (looks === null) return { before: null, last: now, told: false }
  if (now - looks.last >= AWAY_MS) return { before: looks.last, last: now, told: false }
  return { ...looks, last: Math.max(now, looks.last) }
}

const keyOf = (place: string): string => `beadloom.looks.${place}`

function read(place: string): Looks | null {
  try {
    const { before, last, told } = JSON.parse(localStorage.getItem(keyOf(place)) ?? '') as Partial<Looks>
    if (typeof last !== 'number') return null
    return { before: typeof before === 'number' ? before : null, last, told: told === true }
  } catch {
    return null
  }
}

/** By place. */
export const lookStore = createStore<Record<string, Looks | undefined>>(() => ({}))

function keep(place: string, looks: Looks): void {
  lookStore.setState({ [place]: looks })
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(looks))
  } catch {
    // Without storage nobody is told what happened since.
  }
}

/** Notes that somebody is here. */
export const noteLook = (place: string, now: number): void => keep(place, lookedAgain(read(place), now))

/** What happened while nobody was here is known by now. */
export function noteTold(place: string): void {
  const looks = read(place)
  if (looks !== null && !looks.told) keep(place, { ...looks, told: true })
}
