import { lazy, Suspense, useState } from 'react'
import type { ComponentProps } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'

const Palette = lazy(async () => ({ default: (await import('../../components/palette/palette.tsx')).Palette }))

/**
 * The palette, loaded when first opened. Until then a box takes the letters, which would be keys of the page otherwise.
 */
export function LazyPalette(props: Omit<ComponentProps<typeof Palette>, 'early'>) {
  const [early, setEarly] = useState('')
  return (
    <ErrorBoundary what="The palette">
      <Suspense
        fallback={
          <Dialog title="Find a bead, a page or an action" look="palette" onClose={props.onClose}>
            <input
              aria-label="Bead, page or action"
              value={early}
              onChange={(event) => setEarly(event.target.value)}
              autoComplete="off"
            />
          </Dialog>
        }
      >
        <Palette {...props} early={early} />
      </Suspense>
    </ErrorBoundary>
  )
}
