/** The selected beads, and the anchor from which a range extends. */
export type Selection = { ids: ReadonlySet<string>; anchor: string | null }
export const nothingChosen: Selection = { ids: new Set(), anchor: null }

export function toggle({ ids }: Selection, id: string): Selection {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return { ids: next, anchor: id }
}

/** Adds all beads between the anchor and this one, in the order on the screen. */
export function extendTo({ ids, anchor }: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id)
  const from = anchor === null ? -1 : order.indexOf(anchor)
  if (to < 0) return { ids, anchor }
  const range = from < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { ids: new Set([...ids, ...range]), anchor: from < 0 ? id : anchor }
}
