/**
 * Lines of one file: `lost` ones weaken its tests, `gained` ones make up for them. `moved`: further new lines, which make
 * up only for the same words elsewhere.
 */
export type Balance = { path: string; lost: string[]; gained: string[]; moved?: string[] }

/**
 * The number of lines that each file lost without a replacement. Lines that another file gained word for word have only
 * moved and do not count. Files without a loss are left out.
 */
export function lossesOf(files: readonly Balance[]): Map<string, number> {
  const elsewhere = new Map<string, number>()
  for (const { lost, gained, moved = [] } of files) {
    const own = counts(lost)
    for (const line of [...gained, ...moved]) if (!take(own, line)) elsewhere.set(line, (elsewhere.get(line) ?? 0) + 1)
  }
  // Only files that gained more lines than they lost can make up for others.
  let room = files.reduce((sum, { lost, gained }) => sum + Math.max(0, gained.length - lost.length), 0)
  const losses = new Map<string, number>()
  for (const { path, lost, gained } of files) {
    if (lost.length <= gained.length) continue
    const own = counts(gained)
    const missing = lost.filter((line) => !take(own, line))
    // A file's own new lines replace its own losses first, so they must not count for another file as well.
    const rewritten = gained.length - (lost.length - missing.length)
    const moved = Math.min(room, missing.filter((line) => take(elsewhere, line)).length)
    room -= moved
    const loss = missing.length - Math.max(rewritten, 0) - moved
    if (loss > 0) losses.set(path, loss)
  }
  return losses
}

function counts(lines: readonly string[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const line of lines) sums.set(line, (sums.get(line) ?? 0) + 1)
  return sums
}

function take(from: Map<string, number>, line: string): boolean {
  const left = from.get(line) ?? 0
  if (left > 0) from.set(line, left - 1)
  return left > 0
}

/** The lines without those of `taken`, each as often as it is there. */
export function without(lines: readonly string[], taken: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const line of taken) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  })
}
