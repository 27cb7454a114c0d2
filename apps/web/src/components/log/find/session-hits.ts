/** The number of hits in each other session, by its id; `state` is that of a scan. */
export type SessionHits = {
  counts: ReadonlyMap<string, number>
  state: 'idle' | 'searching' | 'done' | { failed: string }
}

export const noSessionHits: SessionHits = { counts: new Map(), state: 'idle' }

/**
 * The nearest session with hits before or after this one, wrapping around at the ends; null if no other has any.
 * `order`: all sessions, including this one.
 */
export function sessionWithHits(
  order: readonly string[],
  here: string,
  counts: ReadonlyMap<string, number>,
  by: 1 | -1,
): string | null {
  const at = order.indexOf(here)
  if (at === -1) return null
  for (let away = 1; away < order.length; away++) {
    const one = order[(at + by * away + order.length * away) % order.length]!
    if ((counts.get(one) ?? 0) > 0) return one
  }
  return null
}

/** The number of hits in other sessions, and of sessions that have them. */
export function hitsElsewhere(order: readonly string[], here: string, counts: ReadonlyMap<string, number>) {
  const others = order.filter((one) => one !== here && (counts.get(one) ?? 0) > 0)
  return { hits: others.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0), sessions: others.length }
}
