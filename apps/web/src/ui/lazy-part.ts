import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

export type LazyPart<P> = {
  Part: LazyExoticComponent<ComponentType<P>>
  /** Loads the part ahead. Never fails: if loading fails, it is tried again when the part is drawn. */
  ahead: () => void
}

/**
 * A part of a page that loads when it is first drawn. If it was loaded ahead, it is drawn at once: for a promise, even
 * a resolved one, React would first draw "loading" and keep that for at least 0.3 s.
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
  // Not every browser has it.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, 500)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(run, { timeout: 2000 })
  return () => cancelIdleCallback(asked)
}
