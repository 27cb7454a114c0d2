import { setImmediate } from 'node:timers/promises'
import { TrackerError, type Issues, type TrackerReading } from '../../ports/tracker.ts'
import type { BeadPick, TrackerMemory } from '../../ports/tracker-blocks.ts'
import { compareBlocks, type Comparison, type Offer } from './compare-blocks.ts'
import { FileReader } from './file-reader.ts'
import { firstLinesOf } from './file-warnings.ts'
import { inTurns } from './steps.ts'
import { Texts } from './texts.ts'

/** The number of beads that are compared, or stored, in one go. */
const COMPARED = 500
const STORED = 100

type Read = { warnings: string[]; memory: TrackerMemory | null }

/**
 * Reads a tracker's file and has the differences stored. The file is cut into blocks while it comes. Only the text of
 * blocks unknown from the last reading is read, aside, and only beads whose fingerprint is not the stored one are
 * handed over, in small parts. Nothing is stored of a file that is refused as a whole. After a failure half-way, the
 * next reading does the rest.
 */
export async function readTracker(issues: Issues, reading: TrackerReading): Promise<Read> {
  try {
    return await readOpen(issues, reading)
  } finally {
    await reading.file.close?.()
  }
}

async function readOpen(issues: Issues, reading: TrackerReading): Promise<Read> {
  const { memory } = reading
  const texts = new Texts(reading.file)
  const reader = new FileReader(issues, reading, texts)
  const read = await reader.read()
  if (!Array.isArray(read)) return { warnings: [read.refused], memory }
  const compared = await inTurns(compareBlocks(memory, read))
  const isNothing = compared.memory.blocks.every(({ facts }) => facts.ids === '\n' && facts.broken.length === 0)
  // A file without a single good line is broken, not empty; the beads here stay until it is fixed.
  if (isNothing && compared.warnings.length > 0) return { warnings: compared.warnings, memory }

  await storeOffers(issues, reading, texts, compared)
  const later = await dropGone(reading, compared)
  return { warnings: compared.warnings, memory: { ...compared.memory, groups: reader.groups(), later } }
}

/** Compares offers with the stored beads, and hands over those that differ. */
async function storeOffers(
  issues: Issues,
  { project, store }: TrackerReading,
  texts: Texts,
  { offers, memory }: Comparison,
): Promise<void> {
  const wanted: Offer[] = []
  for (let at = 0; at < offers.length; at += COMPARED) {
    const some = offers.slice(at, at + COMPARED)
    const stored = store.fingerprints(some.map(({ id }) => id))
    for (const [index, offer] of some.entries()) if (stored[index] !== offer.print) wanted.push(offer)
    await setImmediate()
  }
  const byBlock = Map.groupBy(wanted, ({ block }) => block)
  let [picks, prints] = [[] as BeadPick[], new Map<string, string>()]
  const storePicked = async () => {
    const answer = await issues.beadsIn(project, picks)
    if ('refused' in answer) throw new TrackerError('broken', answer.refused)
    await store.take(answer.beads.map((bead) => ({ bead, fingerprint: prints.get(bead.id) ?? '' })))
    ;[picks, prints] = [[], new Map()]
    await setImmediate()
  }
  const firstLines = firstLinesOf(memory.blocks)
  for await (const { block, bytes } of texts.of(
    memory.blocks,
    [...byBlock.keys()].sort((a, b) => a - b),
  )) {
    const [first = 1, broken = []] = [firstLines[block], memory.blocks[block]?.facts.broken]
    const its = byBlock.get(block) ?? []
    picks.push({ bytes, first, lines: its.map(({ line }) => line), broken: broken.map(({ line }) => line) })
    for (const { id, print } of its) prints.set(id, print)
    if (prints.size >= STORED) await storePicked()
  }
  if (picks.length > 0) await storePicked()
}

/** Returns the beads that cannot be removed yet. */
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
