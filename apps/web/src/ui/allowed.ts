import { createStore } from 'zustand/vanilla'
import { useStore } from 'zustand'

type Why = (needs: string) => string | null

/** Everything may be done until the page knows who is in front of it: the server decides anyway. */
const store = createStore<{ why: Why }>(() => ({ why: () => null }))

/** Called once it is known what the person may do. */
export const setRefusals = (why: Why): void => store.setState({ why })

/** Why this person may not do what needs this right; null: they may. */
export const refusalOf = (needs: string): string | null => store.getState().why(needs)

/** The same for something that is drawn, again when it is known. */
export const useRefusal = (needs: string | undefined): string | null =>
  useStore(store, ({ why }) => (needs === undefined ? null : why(needs)))
