import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

export type LazyPart<P> = {
  Part: LazyExoticComponent<ComponentType<P>>
  /** Loads it ahead; never fails: what could not be loaded is tried again when it is drawn. */
  ahead: () => void
}

/**
 * A part of a page that is loaded when it is first drawn. What was loaded ahead is drawn at once: for a promise, even a
 * resolved one, React would first draw "loading" and keep that for at least 0.3 s.
 */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  type Loaded = { default: ComponentType<P> }
  let here: Loaded | null = null
  let coming: Promise<Loaded> | null = null
  const fetch = (): Promise<Loaded> => {
    coming ??= load().then(
      (part) => (here = { default: part }),
      (error: unknown) => {
        coming = null
        throw error
      },
    )
    return coming
  }
  // oxlint-disable-next-line unicorn/no-thenable -- what React takes for a promise, and which says what it has at once
  const atOnce = (loaded: Loaded) => ({ then: (tell: (loaded: Loaded) => void) => tell(loaded) })
  return {
    Part: lazy(() => (here === null ? fetch() : (atOnce(here) as Promise<Loaded>))),
    ahead: () => void fetch().catch(() => {}),
  }
}

/** Runs when the page is idle; returns its own cancel. */
export function whenIdle(run: () => void): () => void {
  // Not every browser tells.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, 500)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(run, { timeout: 2000 })
  return () => cancelIdleCallback(asked)
}
