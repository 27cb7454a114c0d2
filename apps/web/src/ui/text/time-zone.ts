import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** One choice for the log's View menu and the settings of this browser. */
const KEY = 'beadloom.utc'

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

/** Whether times of day are in UTC everywhere; otherwise by this computer's clock. */
export const utcStore = createStore<{ utc: boolean }>(() => ({ utc: stored() }))

export const useUtc = (): boolean => useStore(utcStore, (state) => state.utc)

export function setUtc(utc: boolean): void {
  utcStore.setState({ utc })
  try {
    if (utc) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
