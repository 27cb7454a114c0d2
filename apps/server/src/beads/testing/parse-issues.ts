import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import { conflictAt, conflictWarning } from '../jsonl/conflicts.ts'
import { BlockCutter, onlyBlocks } from '../reading/block-cutter.ts'
import { compareBlocks, type FileBlock, type Offer } from '../reading/compare-blocks.ts'
import { beadsIn, readBlock } from '../reading/read-block.ts'
import { brokenWarning, linesIn, MOST_BROKEN } from '../reading/file-reader.ts'
import type { Steps } from '../reading/steps.ts'

/**
 * Reads `.beads/issues.jsonl` of any `bd` (and `br`), one JSON object a line, at once and from scratch. Reads
 * everything readable; each problem is a sentence with its line number and what to do.
 *
 * - A file with conflict markers is refused as a whole: either side of a conflict alone would be wrong.
 * - If two lines have one id, the last counts, as when `bd` imports the file.
 * - Memories (`"_type":"memory"`) are private notes and are skipped silently.
 * - A file of nearly only broken lines is not a tracker, and each of them is expensive: it is refused as a whole, too.
 */
export function parseIssues(project: ProjectId, text: string): { beads: TrackedBead[]; warnings: string[] } {
  const cutter = new BlockCutter()
  const cuts = [cutter.push(Buffer.from(text)), cutter.end()].flatMap((some) =>
    [...onlyBlocks(some)].map(({ hash, bytes }) => ({ hash, bytes: Buffer.from(bytes) })),
  )
  const blocks: (FileBlock & { first: number; bytes: Uint8Array })[] = []
  let [first, bad] = [1, 0]
  for (const { hash, bytes } of cuts) {
    const conflict = conflictAt(bytes)
    if (conflict >= 0) return { beads: [], warnings: [conflictWarning(first + conflict)] }
    const read = readBlock(project, { bytes, first })
    const last = read.facts.bad[MOST_BROKEN - bad]
    if (last !== undefined) return { beads: [], warnings: [brokenWarning(first + last)] }
    blocks.push({ hash, facts: read.facts, read, first, bytes })
    bad += read.facts.bad.length
    first += linesIn(bytes)
  }
  const { offers, warnings } = atOnce(compareBlocks(null, blocks))
  const found = new Map<Offer, TrackedBead>()
  for (const [block, its] of Map.groupBy(offers, ({ block }) => block)) {
    const { bytes = new Uint8Array(0), first: at = 1, facts } = blocks[block] ?? {}
    const broken = facts?.broken.map(({ line }) => line) ?? []
    const beads = beadsIn(project, { bytes, first: at, lines: its.map(({ line }) => line), broken })
    for (const [index, offer] of its.entries()) if (beads[index]) found.set(offer, beads[index])
  }
  return { beads: offers.flatMap((offer) => found.get(offer) ?? []), warnings }
}

function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
