import { TrackerError, type TrackerFile } from '../../ports/tracker.ts'
import type { KnownBlock } from '../../ports/tracker-blocks.ts'
import { blocksOf } from './block-cutter.ts'

/** Blocks that will be read again are kept up to this size together; beyond it they are read from the file again. */
const MOST_KEPT = 2 * 1024 ** 2

/** The texts of unknown blocks, for storing beads of them. */
export class Texts {
  readonly #file: TrackerFile
  #kept: Map<number, Uint8Array> | null = new Map()
  #size = 0

  constructor(file: TrackerFile) {
    this.#file = file
  }

  keep(block: number, bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > MOST_KEPT) this.#kept = null
    else this.#kept?.set(block, bytes)
  }

  /** The texts of the blocks in these places. Throws `TrackerError` if the file has changed by now. */
  async *of(
    blocks: readonly KnownBlock[],
    places: readonly number[],
  ): AsyncGenerator<{ block: number; bytes: Uint8Array }> {
    if (places.length === 0) return
    if (this.#kept !== null) {
      for (const block of places) yield { block, bytes: this.#kept.get(block) ?? new Uint8Array(0) }
      return
    }
    const wanted = new Set(places)
    let block = 0
    for await (const cuts of blocksOf(this.#file))
      for (const { hash, bytes } of cuts) {
        if (wanted.size === 0) return
        if (hash !== blocks[block]?.hash) throw changed()
        // A small buffer of Node is a part of a larger one, and all of that would go to another thread.
        if (wanted.delete(block)) yield { block, bytes: new Uint8Array(bytes) }
        block += 1
      }
    if (wanted.size > 0) throw changed()
  }
}

const changed = (): TrackerError =>
  new TrackerError('busy', "the tracker's file was changed while it was read; it is read again")
