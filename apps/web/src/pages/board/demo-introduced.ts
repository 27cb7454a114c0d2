import { createStore } from 'zustand/vanilla'

const KEY = 'beadloom.demo-introduced'

const stored = (): boolean => {
  try {
    return localStorage.getItem(KEY) === 'yes'
  } catch {
    return true // otherwise the banner would come back with every look at the board
  }
}

/** Whether the demo's banner was dismissed in this browser: from then on, the toolbar has a short note instead. */
export const demoIntroduced = createStore<{ yes: boolean }>(() => ({ yes: stored() }))

export function dismissDemo(): void {
  demoIntroduced.setState({ yes: true })
  try {
    localStorage.setItem(KEY, 'yes')
  } catch {
    // Without storage it stays dismissed as long as the page.
  }
}
