import { setImmediate } from 'node:timers/promises'
import { TrackerError, type Issues, type TrackerReading } from '../../ports/tracker.ts'
import type { BlockGroup, BlockText, KnownBlock } from '../../ports/tracker-blocks.ts'
import { conflictAt, conflictWarning } from '../jsonl/conflicts.ts'
import { cutsOf } from './block-cutter.ts'
import { Grouping, KnownGroups } from './block-groups.ts'
import { readAgain, type FileBlock } from './compare-blocks.ts'
import type { Texts } from './texts.ts'

/** The most lines in one file that are not JSON. */
export const MOST_BROKEN = 10_000
/** The size of one read. */
const BATCH_BYTES = 256 * 1024

/** The blocks of a file and the facts about each: from the last reading, or from its text, read now. */
export class FileReader {
  readonly #issues: Issues
  readonly #reading: TrackerReading
  readonly #texts: Texts
  readonly #read: FileBlock[] = []
  /** Consecutive unknown blocks, with their hashes. */
  #batch: { hash: string; text: BlockText }[] = []
  #size = 0
  /** The number of the next line. */
  #line = 1
  #bad = 0
  readonly #grouping = new Grouping()

  constructor(issues: Issues, reading: TrackerReading, texts: Texts) {
    this.#issues = issues
    this.#reading = reading
    this.#texts = texts
  }

  /** Reads the file. `refused`: why nothing of it counts. Throws `TrackerError`. */
  async read(): Promise<FileBlock[] | { refused: string }> {
    const { file, memory, store } = this.#reading
    const again = memory === null ? new Set<string>() : readAgain(memory, store.unsettled())
    const known = new Map((memory?.blocks ?? []).map((block) => [block.hash, block]))
    const groups = new KnownGroups(memory, again)
    for await (const cuts of cutsOf(file, groups))
      for (const cut of cuts) {
        if ('hash' in cut) this.#grouping.add(cut.bytes)
        else this.#grouping.take(cut.group)
        const block = 'hash' in cut && !again.has(cut.hash) ? known.get(cut.hash) : undefined
        const isNew = 'hash' in cut && block === undefined
        // Nearly all blocks are known: do not wait for those.
        const waits = isNew ? this.#take(cut.hash, cut.bytes) : this.#batch.length > 0 ? this.#readBatch() : null
        const refused = waits === null ? null : await waits
        if (refused !== null) return { refused }
        if (block !== undefined) this.#keep(block)
        if ('group' in cut) for (const one of groups.blocksOf(cut.group)) this.#keep(one)
      }
    const refused = await this.#readBatch()
    return refused === null ? this.#read : { refused }
  }

  /** The groups for the next reading. */
  groups(): BlockGroup[] {
    return this.#grouping.end()
  }

  #keep(block: KnownBlock): void {
    this.#read.push(block)
    this.#line += block.facts.lines
    this.#bad += block.facts.bad.length
  }

  async #take(hash: string, bytes: Uint8Array): Promise<string | null> {
    const conflict = conflictAt(bytes)
    if (conflict >= 0) return conflictWarning(this.#line + conflict)
    const problem = this.#reading.file.problemIn?.(bytes) ?? null
    if (problem !== null) throw new TrackerError('busy', problem)
    // A small buffer of Node is a part of a larger one, and all of that would go to another thread.
    const text = { bytes: new Uint8Array(bytes), first: this.#line }
    this.#texts.keep(this.#read.length + this.#batch.length, text.bytes)
    this.#batch.push({ hash, text })
    this.#size += bytes.length
    this.#line += linesIn(bytes)
    return this.#size < BATCH_BYTES ? null : this.#readBatch()
  }

  async #readBatch(): Promise<string | null> {
    if (this.#batch.length === 0) return null
    const batch = this.#batch
    ;[this.#batch, this.#size] = [[], 0]
    const answer = await this.#issues.readBlocks(
      this.#reading.project,
      batch.map(({ text }) => text),
    )
    if ('refused' in answer) return answer.refused
    await setImmediate() // a small batch was read at once, and there may be many
    for (const [at, read] of answer.blocks.entries()) {
      const { facts } = read
      const last = facts.bad[MOST_BROKEN - this.#bad]
      if (last !== undefined) return brokenWarning((batch[at]?.text.first ?? 1) + last)
      this.#bad += facts.bad.length
      this.#read.push({ hash: batch[at]?.hash ?? '', facts, read })
    }
    return null
  }
}

export function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  return bytes.at(-1) === 10 ? lines : lines + 1
}

export const brokenWarning = (line: number): string =>
  `line ${line} is broken like ${MOST_BROKEN} before it: no bead was read. Restore the file, then sync again.`
