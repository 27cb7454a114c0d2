import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const store = createStore<{ text: string }>(() => ({ text: '' }))

/** Has screen readers say a text once, politely ("bl-3 failed"). */
export const announce = (text: string): void => store.setState({ text })

export const Announcer = () => (
  <div className="visually-hidden" role="status" aria-live="polite">
    {useStore(store, (state) => state.text)}
  </div>
)
