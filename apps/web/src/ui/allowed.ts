import { createStore } from 'zustand/vanilla'
import { useStore } from 'zustand'

type Why = (needs: string) => string | null

/** Everything is allowed until the page knows who uses it: the server decides anyway. */
const store = createStore<{ why: Why }>(() => ({ why: () => null }))

/** Called once the person's rights are known. */
export const setRefusals = (why: Why): void => store.setState({ why })

/** Why this person may not do something that needs this right; null: they may. */
export const refusalOf = (needs: string): string | null => store.getState().why(needs)

/** The same as a hook: it draws again when the rights are known. */
export const useRefusal = (needs: string | undefined): string | null =>
  useStore(store, ({ why }) => (needs === undefined ? null : why(needs)))
