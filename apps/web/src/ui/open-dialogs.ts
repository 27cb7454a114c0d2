import { createStore } from 'zustand/vanilla'

/** The modal dialogs that are open, the topmost last. Everything outside of that one can be seen and not be used. */
export const openDialogs = createStore<{ all: readonly HTMLDialogElement[] }>(() => ({ all: [] }))

/** Returns what says that it is closed. */
export function dialogOpened(dialog: HTMLDialogElement): () => void {
  openDialogs.setState(({ all }) => ({ all: [...all, dialog] }))
  return () => openDialogs.setState(({ all }) => ({ all: all.filter((one) => one !== dialog) }))
}
