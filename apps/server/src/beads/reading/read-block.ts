import { hasEnded, waitingTypes } from '@beadloom/core/bead/waiting.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { fingerprintOf } from '../../ports/bead-fingerprint.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import type { BeadPick, BlockFacts, BlockRead, BlockText } from '../../ports/tracker-blocks.ts'
import { isKnownStatus, UNREADABLE } from '../jsonl/bead-line.ts'
import { readLine, unreadableLine, type LineRead } from '../jsonl/read-line.ts'

/** `begin` gets the number and the length of each line before it is read. Lines `without` are not read. */
export type ReadOptions = { begin?: (line: number, length: number) => void; without?: ReadonlySet<number> }

/** Everything in a block that others need to know without its text. */
export function readBlock(
  project: ProjectId,
  { bytes, first }: BlockText,
  { begin, without }: ReadOptions = {},
): BlockRead {
  const lines = linesOf(bytes)
  const facts: BlockFacts = {
    lines: lines.length,
    ids: '\n',
    at: null,
    broken: [],
    bad: [],
    notes: [],
    odd: [],
    waits: [],
  }
  const [prints, standIns, at]: [string[], string[], number[]] = [[], [], []]
  for (const [place, raw] of lines.entries()) {
    const line = first + place
    begin?.(line, raw.length)
    const { bead, broken, notes } = lineOf(project, raw, line, without?.has(line) ?? false)
    for (const text of notes) facts.notes.push({ line: place, text })
    if (broken) facts.bad.push(place)
    if (bead === null) continue
    if (broken) {
      facts.broken.push({ id: bead.id, line: place })
      standIns.push(fingerprintOf(bead))
      continue
    }
    facts.ids += `${bead.id}\n`
    at.push(place)
    prints.push(fingerprintOf(bead))
    noteGraph(facts, bead, place)
  }
  if (at.some((place, index) => place !== index)) facts.at = at
  return { facts, prints, standIns }
}

/** Beads of a block that was read before. */
export function beadsIn(project: ProjectId, { bytes, first, lines, broken }: BeadPick): TrackedBead[] {
  const all = linesOf(bytes)
  const unread = new Set(broken)
  return lines.map((place) => {
    const { bead } = lineOf(project, all[place] ?? '', first + place, unread.has(place))
    if (bead === null) throw new Error(`line ${first + place} had a bead when it was read before`)
    return bead
  })
}

const lineOf = (project: ProjectId, raw: string, line: number, isUnread: boolean): LineRead =>
  isUnread ? unreadableLine(project, raw, line) : readLine(project, raw.trimEnd(), line)

function linesOf(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function noteGraph(facts: BlockFacts, bead: TrackedBead, line: number): void {
  const { id, trackerStatus: word } = bead
  if (!isKnownStatus(word) && word !== UNREADABLE) facts.odd.push({ id, line, word })
  if (bead.dependencies.length === 0 || hasEnded(bead)) return
  const edges = bead.dependencies.filter(({ type }) => waitingTypes.has(type))
  if (edges.length === 0) return
  facts.waits.push({ id, line, on: edges.map(({ dependsOn }) => dependsOn), types: edges.map(({ type }) => type) })
}
