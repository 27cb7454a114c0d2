import type { BeadId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Fingerprinted } from '../../ports/store/beads.ts'
import type { Issues, TrackedStore } from '../../ports/tracker.ts'
import type { TrackerMemory } from '../../ports/tracker-blocks.ts'
import { piecesOf } from '../../process/text-pieces.ts'
import { readTracker } from '../reading/read-tracker.ts'

/**
 * Beads in memory, as a tracker's readings store them, and which of them the last reading asked for, stored and
 * dropped.
 */
export class TrackedMemory implements TrackedStore {
  readonly beads = new Map<string, Fingerprinted>()
  readonly busy = new Set<string>()
  readonly isUnsettled = new Set<BeadId>()
  did = { asked: 0, stored: [] as string[], dropped: [] as string[] }
  memory: TrackerMemory | null = null
  readonly #issues: Issues
  readonly #project: ProjectId

  constructor(issues: Issues, project: ProjectId) {
    this.#issues = issues
    this.#project = project
  }

  /** Reads this text; returns the warnings. */
  read(text: string): Promise<string[]> {
    return this.#read(() => piecesOf(text))
  }

  /** The same, in pieces of `size` bytes in a reused buffer. */
  readPieces(text: string, size: number): Promise<string[]> {
    return this.#read(() => inPieces(Buffer.from(text), size))
  }

  async #read(pieces: () => AsyncIterable<Uint8Array>): Promise<string[]> {
    this.did = { asked: 0, stored: [], dropped: [] }
    const reading = { project: this.#project, file: { pieces }, memory: this.memory, store: this }
    const read = await readTracker(this.#issues, reading)
    this.memory = read.memory
    return read.warnings
  }

  /** Keeps only what a restart keeps: the stored beads. */
  forget(): void {
    this.memory = null
  }

  fingerprints(ids: readonly string[]): (string | null)[] {
    this.did.asked += ids.length
    return ids.map((id) => (this.isUnsettled.has(id as BeadId) ? '' : (this.beads.get(id)?.fingerprint ?? null)))
  }

  unsettled(): BeadId[] {
    return [...this.isUnsettled]
  }

  async take(beads: readonly Fingerprinted[]): Promise<void> {
    for (const one of beads) {
      this.did.stored.push(one.bead.id)
      this.isUnsettled.delete(one.bead.id)
      this.beads.set(one.bead.id, one)
    }
  }

  ids(after: string, limit: number): BeadId[] {
    return [...this.beads.values()]
      .map(({ bead }) => bead.id)
      .filter((id) => id > after)
      .sort()
      .slice(0, limit)
  }

  async drop(ids: readonly string[]): Promise<string[]> {
    for (const id of ids.filter((one) => !this.busy.has(one))) if (this.beads.delete(id)) this.did.dropped.push(id)
    return ids.filter((id) => this.busy.has(id))
  }
}

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(size)
  for (let from = 0; from < bytes.length; from += size) {
    const part = bytes.subarray(from, from + size)
    piece.set(part)
    yield piece.subarray(0, part.length)
    piece.fill(0)
  }
}
