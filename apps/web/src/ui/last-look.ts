import { createStore } from 'zustand/vanilla'

/** A person who comes back within this time was not away. */
export const AWAY_MS = 30 * 60_000

/**
 * Milliseconds UTC. `before`: the end of the previous visit; null: there was none. `last`: the latest look of this
 * visit. `told`: the person has read about the time in between.
 */
export type Looks = { before: number | null; last: number; told: boolean }

/** A look now: part of the same visit, or the first of a new one. */
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

/** Looks, by place. */
export const lookStore = createStore<Record<string, Looks | undefined>>(() => ({}))

function keep(place: string, looks: Looks): void {
  lookStore.setState({ [place]: looks })
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(looks))
  } catch {
    // Without storage nobody is told about the time since.
  }
}

/** Notes that somebody is here. */
export const noteLook = (place: string, now: number): void => keep(place, lookedAgain(read(place), now))

/** Notes that the person knows about the time in between. */
export function noteTold(place: string): void {
  const looks = read(place)
  if (looks !== null && !looks.told) keep(place, { ...looks, told: true })
}
