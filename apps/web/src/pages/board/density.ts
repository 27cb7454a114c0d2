import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const KEY = 'beadloom.density'

export type Density = 'roomy' | 'compact'

/** Pixels: a card with the gap below it, a row of the list, and one of a bead's two lines on a phone. */
export const sizes = {
  roomy: { card: 84, gap: 6, row: 36, rowOfTwo: 56 },
  compact: { card: 60, gap: 4, row: 28, rowOfTwo: 48 },
} as const satisfies Record<Density, object>

const stored = (): Density => {
  try {
    return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'roomy'
  } catch {
    return 'roomy'
  }
}

const store = createStore<{ density: Density }>(() => ({ density: stored() }))

/** This browser's choice of how much room a bead gets. */
export const useDensity = (): Density => useStore(store, ({ density }) => density)

export function setDensity(density: Density): void {
  store.setState({ density })
  try {
    if (density === 'compact') localStorage.setItem(KEY, density)
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
