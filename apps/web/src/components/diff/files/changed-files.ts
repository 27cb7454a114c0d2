import type { DiffFileView } from '@beadloom/core/api/api.ts'

/** How many files are something else in the other list: changed again, changed now, or not changed any more. */
export function changedFiles(one: readonly DiffFileView[], other: readonly DiffFileView[]): number {
  const rest = new Map(other.map(({ path, blob, status }) => [path, `${blob} ${status}`]))
  let changed = 0
  for (const { path, blob, status } of one) {
    if (rest.get(path) !== `${blob} ${status}`) changed++
    rest.delete(path)
  }
  return changed + rest.size
}
