import { X } from 'lucide-react'
import { useId, useLayoutEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import css from './dialog.module.css'
import { dialogOpened } from './toast.tsx'

/** The browser's own modal dialog: it traps focus, makes the rest inert, closes with Esc and gives focus back. */
export function Dialog({
  title,
  onClose,
  children,
  wide,
  look = 'plain',
}: {
  title: string
  onClose: () => void
  children: ReactNode
  wide?: boolean
  /** `palette`: at the top, without a visible head; it must bring its own close button. */
  look?: 'plain' | 'palette'
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closes before it leaves the page: a dialog that is closed later cannot give the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    if (!dialog.open) dialog.showModal()
    const closed = dialogOpened(dialog)
    const first =
      dialog.querySelector<HTMLElement>('[data-first]') ??
      dialog.querySelector<HTMLElement>('input:not([type=checkbox]), textarea')
    first?.focus({ preventScroll: true }) // a long dialog is read from the top; its buttons are always in sight
    return () => {
      dialog.close()
      closed()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className={[css['dialog'], wide && css['wide'], look === 'palette' && css['palette']].filter(Boolean).join(' ')}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose() // the backdrop
      }}
    >
      <div className={css['box']}>
        {look === 'palette' ? (
          <h2 id={id} className="visually-hidden">
            {title}
          </h2>
        ) : (
          <header className={css['head']}>
            <h2 id={id}>{title}</h2>
            {/* No hint: anything drawn outside of the dialog would be hidden below it. */}
            <button type="button" className={css['close']} aria-label="Close" onClick={onClose}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </button>
          </header>
        )}
        {children}
      </div>
    </dialog>
  )
}

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <footer className={css['actions']}>{children}</footer>
)
