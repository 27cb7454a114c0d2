import { closeSync, constants, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { cuttingName, formatOrder, orderName, type OrderedRecord } from '@beadloom/core/supervisor/spool-order.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants

/**
 * The heads of a spool's records on the disk (`packages/core/src/supervisor/spool-order.ts`), written before they are
 * served.
 */
export class OrderFile {
  #folder: string
  #offset: number
  #descriptor: number
  #length: number
  #given = true

  private constructor(folder: string, offset: number, descriptor: number, length: number) {
    this.#folder = folder
    this.#offset = offset
    this.#descriptor = descriptor
    this.#length = length
  }

  static create(folder: string): OrderFile {
    const descriptor = openSync(join(folder, orderName(0)), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    return new OrderFile(folder, 0, descriptor, 0)
  }

  /** Opens one that an earlier supervisor wrote; anything behind `length` bytes is overwritten. */
  static open(folder: string, offset: number, length: number): OrderFile {
    const descriptor = openSync(join(folder, orderName(offset)), O_RDWR | O_NOFOLLOW)
    ftruncateSync(descriptor, length)
    return new OrderFile(folder, offset, descriptor, length)
  }

  get length(): number {
    return this.#length
  }

  /** False if the disk has no room; nothing was added then. Throws any other error. */
  append(records: readonly OrderedRecord[]): boolean {
    if (!this.#given) return false
    const bytes = formatOrder(records)
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#length + done)
      }
    } catch (error) {
      if (!isFull(error)) throw error
      ftruncateSync(this.#descriptor, this.#length)
      return false
    }
    this.#length += bytes.length
    return true
  }

  /**
   * Writes no further records. The next supervisor numbers them by the rule: standard output first. So the caller does
   * the same, and nobody may write to the session's files any more.
   */
  giveUp(): void {
    this.#given = false
  }

  /**
   * Drops everything below `offset`, which is stored. `emptyStreams` empties the session's files. If we die half-way, a
   * file name says how far we came. It needs no room.
   */
  restartAt(offset: number, emptyStreams: () => void): void {
    const cutting = join(this.#folder, cuttingName(offset))
    renameSync(join(this.#folder, orderName(this.#offset)), cutting)
    ftruncateSync(this.#descriptor, 0)
    emptyStreams()
    renameSync(cutting, join(this.#folder, orderName(offset)))
    this.#offset = offset
    this.#length = 0
    this.#given = true
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** Also true for a quota, and for the container's limit on file size. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
