import { Suspense, useEffect, type ComponentProps } from 'react'
import type { NewBeadDialog } from './new-bead-dialog.tsx'
import { lazyPart, whenIdle } from '../../../ui/lazy-part.ts'

const { Part, ahead } = lazyPart(async () => (await import('./new-bead-dialog.tsx')).NewBeadDialog)

/** The dialog, loaded after the first load. */
export const LateNewBead = (props: ComponentProps<typeof NewBeadDialog>) => (
  <Suspense fallback={null}>
    <Part {...props} />
  </Suspense>
)

/** Loads the dialog before anybody asks for it, so that the first typed letters reach its title. */
export const useNewBeadAhead = (): void => useEffect(() => whenIdle(ahead), [])
