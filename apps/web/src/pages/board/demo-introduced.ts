import { createStore } from 'zustand/vanilla'

const KEY = 'beadloom.demo-introduced'

const stored = (): boolean => {
  try {
    return localStorage.getItem(KEY) === 'yes'
  } catch {
    return true // the banner would come back with every look at the board
  }
}

/** Whether the demo's banner has been dismissed in this browser: from then on the toolbar says in short what it is. */
export const demoIntroduced = createStore<{ yes: boolean }>(() => ({ yes: stored() }))

export function dismissDemo(): void {
  demoIntroduced.setState({ yes: true })
  try {
    localStorage.setItem(KEY, 'yes')
  } catch {
    // Without storage it is gone as long as the page lives.
  }
}
