import { Suspense, useEffect, type ComponentProps } from 'react'
import type { NewBeadDialog } from './new-bead-dialog.tsx'
import { lazyPart, whenIdle } from '../../../ui/lazy-part.ts'

const { Part, ahead } = lazyPart(async () => (await import('./new-bead-dialog.tsx')).NewBeadDialog)

/** The dialog, which is no part of the first load. */
export const LateNewBead = (props: ComponentProps<typeof NewBeadDialog>) => (
  <Suspense fallback={null}>
    <Part {...props} />
  </Suspense>
)

/** Loads it before anybody asks for it, so that what is typed at once goes into its title. */
export const useNewBeadAhead = (): void => useEffect(() => whenIdle(ahead), [])
