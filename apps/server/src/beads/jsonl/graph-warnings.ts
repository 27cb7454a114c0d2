import { findCycles } from '@beadloom/core/bead/cycles.ts'
import { hasEnded, waitingTypes } from '@beadloom/core/bead/waiting.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import { isKnownStatus, UNREADABLE } from './bead-line.ts'

type Numbered = { bead: TrackedBead; line: number }

/** One warning for each unknown status rather than for each bead: projects define their own. */
export function statusWarnings(all: readonly Numbered[]): string[] {
  const first = new Map<string, { line: number; count: number }>()
  for (const { bead, line } of all) {
    if (isKnownStatus(bead.trackerStatus) || bead.trackerStatus === UNREADABLE) continue
    const known = first.get(bead.trackerStatus)
    if (known) known.count += 1
    else first.set(bead.trackerStatus, { line, count: 1 })
  }
  return [...first].map(([word, { line, count }]) => {
    const where = count === 1 ? `line ${line}` : `line ${line} and ${count - 1} more`
    return `${where}: unknown status ${JSON.stringify(word.slice(0, 60))}: such a bead is neither ready nor closed. Set it to open or closed to change that.`
  })
}

/** Unfinished beads that depend on beads which do not exist, and dependency cycles. */
export function edgeWarnings(all: readonly Numbered[]): string[] {
  const lineOf = new Map<string, number>(all.map(({ bead, line }) => [bead.id, line]))
  const missing = all.flatMap(({ bead, line }) => {
    if (hasEnded(bead)) return []
    const lost = bead.dependencies.filter(
      ({ type, dependsOn }) => waitingTypes.has(type) && !lineOf.has(dependsOn) && !dependsOn.startsWith('external:'),
    )
    return lost.map(
      ({ type, dependsOn }) =>
        `line ${line}: ${bead.id} depends on ${dependsOn.slice(0, 128)} (${type}), which is not in the file, so the dependency is ignored. Add that bead, or remove the dependency.`,
    )
  })
  const cycles = findCycles(all.map(({ bead }) => bead)).map((path) => {
    const line = lineOf.get(path[0] ?? '') ?? 0
    return `line ${line}: a dependency cycle, ${pathText(path)}: these beads wait for each other. Remove one of the dependencies.`
  })
  return [...missing, ...cycles]
}

const MAX_PATH = 10

function pathText(path: readonly string[]): string {
  const shown = path.length <= MAX_PATH ? path : [...path.slice(0, MAX_PATH - 1), '…', path.at(-1) ?? '']
  return shown.join(' → ')
}
