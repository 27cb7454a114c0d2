import { X } from 'lucide-react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { IconButton } from './button.tsx'
import css from './toast.module.css'

/* Our own toasts: the usual library adds a style element when it loads, which the content policy refuses. */
export type Toast = { id: number; kind: 'info' | 'error'; text: string; action?: { label: string; run: () => void } }

const SHOWN_MS = 8000
const store = createStore<{ toasts: Toast[] }>(() => ({ toasts: [] }))
let last = 0

export function dismissToast(id: number): void {
  store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

/** Shows a sentence for 8 s; an error stays until it is closed. */
export function toast(text: string, options: { kind?: Toast['kind']; action?: Toast['action'] } = {}): void {
  const kind = options.kind ?? 'info'
  const id = ++last
  const added: Toast = { id, kind, text, ...(options.action ? { action: options.action } : {}) }
  store.setState(({ toasts }) => ({ toasts: [...toasts.slice(-3), added] }))
  if (kind === 'info') setTimeout(() => dismissToast(id), SHOWN_MS)
}

export const toastError = (error: unknown): void =>
  toast(error instanceof Error ? error.message : String(error), { kind: 'error' })

/** The open modal dialogs, the topmost last. Everything outside the topmost one is visible but cannot be used. */
const openDialogs = createStore<{ all: readonly HTMLDialogElement[] }>(() => ({ all: [] }))

/** Returns a function to call when the dialog closes. */
export function dialogOpened(dialog: HTMLDialogElement): () => void {
  openDialogs.setState(({ all }) => ({ all: [...all, dialog] }))
  return () => openDialogs.setState(({ all }) => ({ all: all.filter((one) => one !== dialog) }))
}

/** The toasts, inside the topmost open dialog: outside it, their Undo would be visible but could not be pressed. */
export function Toasts() {
  const top = useStore(openDialogs, ({ all }) => all.at(-1))
  return top === undefined ? <ToastList /> : createPortal(<ToastList />, top)
}

function ToastList() {
  const toasts = useStore(store, (state) => state.toasts)
  return (
    <div className={css['toasts']} aria-live="polite" role="status">
      <ol aria-label="Notices" className={css['list']}>
        {toasts.map((one) => (
          <li key={one.id} className={one.kind === 'error' ? `${css['toast']} ${css['error']}` : css['toast']}>
            <span>{one.text}</span>
            {one.action && (
              <button
                type="button"
                className={css['action']}
                onClick={() => {
                  one.action?.run()
                  dismissToast(one.id)
                }}
              >
                {one.action.label}
              </button>
            )}
            <IconButton label="Close message" onClick={() => dismissToast(one.id)}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
    </div>
  )
}
