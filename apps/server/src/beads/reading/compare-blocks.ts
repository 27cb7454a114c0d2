import { isExternal } from '@beadloom/core/bead/external.ts'
import type { BlockRead, KnownBlock, TrackerMemory, Wait } from '../../ports/tracker-blocks.ts'
import {
  FileWarnings,
  numbered,
  warnOfCycles,
  warnOfLines,
  warnOfMissing,
  warnOfStatuses,
  type Repeated,
} from './file-warnings.ts'
import type { Steps } from './steps.ts'
import { idsIn, WhereIds } from './where-ids.ts'

/** The number of blocks, of a dozen beads each, that are compared in one step. */
const STEP = 500

/** A block of the current file. `read`: its text was read, because it was unknown. All others are known from before. */
export type FileBlock = KnownBlock & { read?: BlockRead }

/** A bead of the file that may differ from what is stored: its block, its line there, and its fingerprint. */
export type Offer = { id: string; block: number; line: number; print: string }

export type Comparison = {
  offers: Offer[]
  /** Beads that have left the file; null if its former beads are unknown. */
  gone: string[] | null
  has: (id: string) => boolean
  warnings: string[]
  memory: Omit<TrackerMemory, 'groups' | 'later'>
}

/**
 * Finds the differences in a file at the cost of the changed blocks: all others only tell where they are, and whether a
 * change concerns them. Works in steps, as an unknown file can have a hundred thousand beads.
 */
export function* compareBlocks(former: TrackerMemory | null, blocks: readonly FileBlock[]): Steps<Comparison> {
  const kept = new Set<string>()
  for (const { hash, read } of blocks) if (read === undefined) kept.add(hash)
  const left = former?.blocks.filter(({ hash }) => !kept.has(hash)) ?? []
  const had = new Set(left.flatMap(({ facts }) => idsIn(facts)))
  const stoodIn = new Set(left.flatMap(({ facts }) => facts.broken.map(({ id }) => id)))
  const where = new WhereIds(blocks.map(({ facts, read }) => (read === undefined ? facts : null)))
  const twice = new Set<string>()
  const offers = yield* offersOf(blocks, twice, (id) => (had.has(id) ? -1 : where.lastOf(id)))
  const standIns = standInsOf(blocks, (id) => offers.has(id) || where.lastOf(id) >= 0)
  const isRead = (id: string) => offers.has(id) || standIns.has(id)
  const has = (id: string) => isRead(id) || where.lastOf(id) >= 0
  const mayBeKept = (id: string) => stoodIn.has(id) || former?.twice.has(id) === true
  const hasLeft = (id: string) => !isRead(id) && !(mayBeKept(id) && where.lastOf(id) >= 0)
  const gone = former === null ? null : [...new Set([...had, ...stoodIn])].filter(hasLeft)
  yield
  const repeated = repeatedIn(blocks, twice)
  const missing = missingIn({ former, blocks, left, gone: gone ?? [], had, has, isRead })
  yield
  const warnings = new FileWarnings()
  warnOfLines(warnings, blocks, repeated)
  warnOfStatuses(warnings, blocks, repeated)
  warnOfMissing(warnings, blocks, repeated, missing)
  yield
  const isCyclic = mayBeCyclic(former, blocks, left) && warnOfCycles(warnings, blocks, repeated)
  yield
  const known = blocks.map((block) => (block.read === undefined ? block : { hash: block.hash, facts: block.facts }))
  return {
    offers: [...offers.values(), ...standIns.values()].filter((offer) => offer !== null),
    gone,
    has,
    warnings: warnings.all(),
    memory: { blocks: known, twice, missing, isCyclic },
  }
}

/** The unchanged blocks whose text must be read again, because their meaning depends on others. */
export function readAgain({ blocks, twice }: TrackerMemory, unsettled: readonly string[]): Set<string> {
  const wanted = new Set([...twice, ...unsettled])
  const hashes = new Set(blocks.flatMap(({ hash, facts }) => (facts.broken.length > 0 ? [hash] : [])))
  if (wanted.size === 0) return hashes
  const where = new WhereIds(blocks.map(({ facts }) => facts))
  for (const at of where.allOf(wanted)) hashes.add(blocks[at]?.hash ?? '')
  return hashes
}

/**
 * The beads of the blocks that were read; of two with one id, the last. Null if a later block, which was not read
 * because it is stored already, has it too.
 *
 * @param keptAt the place of an id that this place of the file did not have before, or -1
 */
function* offersOf(
  blocks: readonly FileBlock[],
  twice: Set<string>,
  keptAt: (id: string) => number,
): Steps<Map<string, Offer | null>> {
  const offers = new Map<string, Offer | null>()
  for (const [block, { facts, read }] of blocks.entries()) {
    if (block % STEP === STEP - 1) yield
    if (read === undefined) continue
    for (const [index, id] of idsIn(facts).entries()) {
      if (offers.has(id)) twice.add(id)
      offers.set(id, { id, block, line: facts.at?.[index] ?? index, print: read.prints[index] ?? '' })
    }
  }
  let looked = 0
  for (const [id, offer] of offers) {
    if ((looked += 1) % (STEP * 10) === 0) yield
    const at = keptAt(id)
    if (at < 0) continue
    twice.add(id)
    if (offer !== null && at > offer.block) offers.set(id, null)
  }
  return offers
}

/** Stand-ins for broken lines whose id no good line has; of several, the first. */
function standInsOf(blocks: readonly FileBlock[], isGood: (id: string) => boolean): Map<string, Offer> {
  const found = new Map<string, Offer>()
  for (const [block, { facts, read }] of blocks.entries())
    for (const [index, { id, line }] of (read === undefined ? [] : facts.broken).entries())
      if (!found.has(id) && !isGood(id)) found.set(id, { id, block, line, print: read?.standIns[index] ?? '' })
  return found
}

function repeatedIn(blocks: readonly KnownBlock[], twice: ReadonlySet<string>): Repeated {
  const lines = new Map<string, number[]>()
  if (twice.size === 0) return lines
  for (const { first, facts } of numbered(blocks, () => true))
    for (const [index, id] of idsIn(facts).entries()) {
      if (!twice.has(id)) continue
      const line = first + (facts.at?.[index] ?? index)
      const known = lines.get(id)
      if (known) known.push(line)
      else lines.set(id, [line])
    }
  return lines
}

type Changes = {
  former: TrackerMemory | null
  blocks: readonly FileBlock[]
  left: readonly KnownBlock[]
  gone: readonly string[]
  had: ReadonlySet<string>
  has: (id: string) => boolean
  isRead: (id: string) => boolean
}

/** Ids that beads wait for and the file does not have. Looks only for those that may have come or gone. */
function missingIn({ former, blocks, left, gone, had, has, isRead }: Changes): Set<string> {
  const known = former?.missing ?? new Set<string>()
  const before = new Set(left.flatMap(({ facts }) => facts.waits.flatMap(({ on }) => on)))
  const lost = new Set(gone)
  const found = new Set<string>()
  for (const { facts, read } of blocks) {
    if (read === undefined && known.size === 0 && lost.size === 0) continue
    for (const { on } of facts.waits)
      for (const id of on) {
        if (found.has(id) || isExternal(id)) continue
        const isOld = read === undefined || (before.has(id) && !had.has(id))
        const isMissing = known.has(id) ? !isRead(id) : lost.has(id) || (!isOld && !has(id))
        if (isMissing) found.add(id)
      }
  }
  return found
}

/** Whether there may be a new cycle: only with a new edge. */
function mayBeCyclic(former: TrackerMemory | null, blocks: readonly FileBlock[], left: readonly KnownBlock[]): boolean {
  if (former === null || former.isCyclic) return true
  const before = new Set(left.flatMap(({ facts }) => facts.waits.map(nameOf)))
  return blocks.some(({ facts, read }) => read !== undefined && facts.waits.some((wait) => !before.has(nameOf(wait))))
}

const nameOf = ({ id, on, types }: Wait): string => JSON.stringify([id, on, types])
