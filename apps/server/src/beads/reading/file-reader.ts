import { setImmediate } from 'node:timers/promises'
import { TrackerError, type Issues, type TrackerReading } from '../../ports/tracker.ts'
import type { BlockText } from '../../ports/tracker-blocks.ts'
import { conflictAt, conflictWarning } from '../jsonl/conflicts.ts'
import { cutsOf } from './block-cutter.ts'
import { readAgain, type FileBlock } from './compare-blocks.ts'
import type { Texts } from './texts.ts'

/** Lines that are not JSON, in one file. */
export const MOST_BROKEN = 10_000
/** Text that is read in one go. */
const BATCH_BYTES = 256 * 1024

/** The blocks of a file, with what is known of each: from the last reading, or because its text was read now. */
export class FileReader {
  readonly #issues: Issues
  readonly #reading: TrackerReading
  readonly #texts: Texts
  readonly #read: FileBlock[] = []
  /** Consecutive blocks that nobody knows, with their hashes. */
  #batch: { hash: string; text: BlockText }[] = []
  #size = 0
  /** The number of the next line. */
  #line = 1
  #bad = 0

  constructor(issues: Issues, reading: TrackerReading, texts: Texts) {
    this.#issues = issues
    this.#reading = reading
    this.#texts = texts
  }

  /** `refused`: why nothing of it counts. Throws `TrackerError`. */
  async read(): Promise<FileBlock[] | { refused: string }> {
    const { file, memory, store } = this.#reading
    const again = memory === null ? new Set<string>() : readAgain(memory, store.unsettled())
    const known = new Map((memory?.blocks ?? []).map((block) => [block.hash, block]))
    for await (const cuts of cutsOf(file))
      for (const { hash, bytes } of cuts) {
        const block = again.has(hash) ? undefined : known.get(hash)
        // Nearly all of them are known: nobody waits for those.
        const waits = block === undefined ? this.#take(hash, bytes) : this.#batch.length > 0 ? this.#readBatch() : null
        const refused = waits === null ? null : await waits
        if (refused !== null) return { refused }
        if (block === undefined) continue
        this.#read.push({ ...block, read: null })
        this.#line += block.facts.lines
        this.#bad += block.facts.bad.length
      }
    const refused = await this.#readBatch()
    return refused === null ? this.#read : { refused }
  }

  async #take(hash: string, bytes: Uint8Array): Promise<string | null> {
    const conflict = conflictAt(bytes)
    if (conflict >= 0) return conflictWarning(this.#line + conflict)
    const problem = this.#reading.file.problemIn?.(bytes) ?? null
    if (problem !== null) throw new TrackerError('broken', problem)
    // A small buffer of Node's is a part of a larger one, all of which would go to another thread.
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
