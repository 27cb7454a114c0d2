import { setImmediate } from 'node:timers/promises'
import type { ProjectId } from '@beadloom/core/ids.ts'
import { TrackerError, type Issues, type TrackerReading } from '../../ports/tracker.ts'
import type { BeadPick, BlockFacts, BlockText, TrackerMemory } from '../../ports/tracker-blocks.ts'
import { conflictWarning, conflictIn } from '../jsonl/conflicts.ts'
import { BlockCutter } from './block-cutter.ts'
import { numbered } from './file-warnings.ts'
import { compareBlocks, readAgain, type Comparison, type FileBlock, type Offer } from './compare-blocks.ts'

/** Lines that are not JSON, in one file. */
export const MOST_BROKEN = 10_000
/** Text that is read in one go. */
const BATCH_BYTES = 256 * 1024
/** Beads that are compared, or stored, in one go. */
const COMPARED = 500
const STORED = 100

type Cut = { hash: string; bytes: Uint8Array | null }
type Read = { warnings: string[]; memory: TrackerMemory | null }

/**
 * Reads a tracker's file and has stored what is different in it. The file is cut in blocks while it comes; only the text of
 * those that are not known from the last reading is read, aside, and only beads whose fingerprint is not the stored one are
 * handed over, in small parts. Nothing is stored of a file that is refused as a whole. After a failure in between, the
 * next reading does what is left.
 */
export async function readTracker(issues: Issues, reading: TrackerReading): Promise<Read> {
  const { project, file, memory, store } = reading
  const again = memory === null ? new Set<string>() : readAgain(memory, store.unsettled())
  const known = new Map((memory?.blocks ?? []).map((block) => [block.hash, block]))
  const cuts: Cut[] = []
  for await (const { hash, bytes } of cutsOf(file.pieces)) {
    const isKnown = known.has(hash) && !again.has(hash)
    cuts.push({ hash, bytes: isKnown ? null : Buffer.from(bytes) })
    const problem = isKnown ? null : (file.problemIn?.(bytes) ?? null)
    if (problem !== null) throw new TrackerError('broken', problem)
  }
  const conflict = conflictIn(cuts, (hash) => known.get(hash)?.facts.lines ?? 0)
  if (conflict > 0) return refused(conflictWarning(conflict), memory)

  const read = await readTexts(issues, project, cuts, known)
  if (!Array.isArray(read)) return refused(read.refused, memory)
  const compared = compareBlocks(memory, read)
  const isNothing = compared.memory.blocks.every(({ facts }) => facts.ids === '\n' && facts.broken.length === 0)
  // A file without a single good line is broken rather than empty; the beads here stay until it is fixed.
  if (isNothing && compared.warnings.length > 0) return { warnings: compared.warnings, memory }

  await storeOffers(issues, reading, cuts, compared)
  const later = await dropGone(reading, compared)
  return { warnings: compared.warnings, memory: { ...compared.memory, later } }
}

const refused = (warning: string, memory: TrackerMemory | null): Read => ({ warnings: [warning], memory })

async function* cutsOf(pieces: AsyncIterable<Uint8Array>) {
  const cutter = new BlockCutter()
  for await (const piece of pieces) yield* cutter.push(piece)
  yield* cutter.end()
}

type KnownBlocks = ReadonlyMap<string, { facts: BlockFacts }>

/** Each block with what is known of it. */
async function readTexts(
  issues: Issues,
  project: ProjectId,
  cuts: readonly Cut[],
  known: KnownBlocks,
): Promise<FileBlock[] | { refused: string }> {
  const read: FileBlock[] = []
  let [first, bad] = [1, 0]
  for (let from = 0; from < cuts.length;) {
    const { hash, bytes } = cuts[from] as Cut
    const facts = bytes === null ? known.get(hash)?.facts : undefined
    if (facts !== undefined) {
      read.push({ hash, facts, read: null })
      first += facts.lines
      bad += facts.bad.length
      from += 1
      continue
    }
    const texts = batchAt(cuts, from, first)
    const answer = await issues.readBlocks(project, texts)
    if ('refused' in answer) return answer
    for (const block of answer.blocks) {
      const last = block.facts.bad[MOST_BROKEN - bad]
      if (last !== undefined) return { refused: brokenWarning(first + last) }
      bad += block.facts.bad.length
      read.push({ hash: cuts[read.length]?.hash ?? '', facts: block.facts, read: block })
      first += block.facts.lines
    }
    from += texts.length
  }
  return read
}

/** Consecutive blocks that nobody knows. Only the first one's first line is known before they are read. */
function batchAt(cuts: readonly Cut[], from: number, first: number): BlockText[] {
  const texts: BlockText[] = []
  let [size, line] = [0, first]
  for (let at = from; at < cuts.length; at++) {
    const bytes = cuts[at]?.bytes ?? null
    if (bytes === null || (texts.length > 0 && size + bytes.length > BATCH_BYTES)) break
    texts.push({ bytes, first: line })
    size += bytes.length
    line += linesIn(bytes)
  }
  return texts
}

export function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  return bytes.at(-1) === 10 ? lines : lines + 1
}

/** Compares with what is stored, and hands over what is another. */
async function storeOffers(
  issues: Issues,
  { project, store }: TrackerReading,
  cuts: readonly Cut[],
  { offers, memory }: Comparison,
): Promise<void> {
  const firsts = [...numbered(memory.blocks)].map(({ first }) => first)
  let wanted: Offer[] = []
  for (let at = 0; at < offers.length; at += COMPARED) {
    const some = offers.slice(at, at + COMPARED)
    const stored = store.fingerprints(some.map(({ id }) => id))
    wanted.push(...some.filter(({ print }, index) => stored[index] !== print))
    while (wanted.length >= STORED || (wanted.length > 0 && at + COMPARED >= offers.length)) {
      await storeSome(wanted.slice(0, STORED))
      wanted = wanted.slice(STORED)
    }
    await setImmediate()
  }

  async function storeSome(some: readonly Offer[]): Promise<void> {
    const picks = new Map<number, BeadPick>()
    for (const { block, line } of some) {
      const known = picks.get(block)
      if (known) known.lines.push(line)
      else {
        const dear = (memory.blocks[block]?.facts.broken ?? []).filter((one) => one.dear).map((one) => one.line)
        picks.set(block, {
          bytes: cuts[block]?.bytes ?? new Uint8Array(0),
          first: firsts[block] ?? 1,
          lines: [line],
          dear,
        })
      }
    }
    const answer = await issues.beadsIn(project, [...picks.values()])
    if ('refused' in answer) throw new TrackerError('broken', answer.refused)
    const prints = new Map(some.map(({ id, print }) => [id, print]))
    await store.take(answer.beads.map((bead) => ({ bead, fingerprint: prints.get(bead.id) ?? '' })))
    await setImmediate()
  }
}

/** Returns those that cannot be taken away yet. */
async function dropGone({ memory, store }: TrackerReading, { gone, has }: Comparison): Promise<string[]> {
  const later: string[] = []
  const drop = async (ids: readonly string[]) => {
    for (let at = 0; at < ids.length; at += STORED) {
      later.push(...(await store.drop(ids.slice(at, at + STORED))))
      await setImmediate()
    }
  }
  if (gone !== null) {
    await drop([...new Set([...gone, ...(memory?.later ?? []).filter((id) => !has(id))])])
    return later
  }
  for (let after = '', ids = store.ids(after, COMPARED); ids.length > 0; ids = store.ids(after, COMPARED)) {
    after = ids.at(-1) ?? ''
    await drop(ids.filter((id) => !has(id)))
    await setImmediate()
  }
  return later
}

export const brokenWarning = (line: number): string =>
  `line ${line} is broken like ${MOST_BROKEN} before it: no bead was read. Restore the file, then sync again.`
