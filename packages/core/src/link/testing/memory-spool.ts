import { expect } from 'vitest'
import type { Spool } from '../spool.ts'

/** A spool in memory. It drops acknowledged bytes, as on a disk with little room. */
export class MemorySpool implements Spool {
  readonly bytes: Uint8Array
  length: number
  ended = false
  /** Everything below this offset is gone. */
  dropped = 0
  acknowledgedTo = 0
  #listeners = new Set<() => void>()

  constructor(bytes: Uint8Array, length = bytes.length) {
    this.bytes = bytes
    this.length = length
  }

  read(offset: number, atMost: number) {
    const from = Math.max(offset, this.dropped)
    const to = Math.max(from, Math.min(this.length, from + atMost))
    return { from, bytes: this.bytes.slice(from, to), ended: this.ended && to === this.length }
  }

  watch(grown: () => void): () => void {
    this.#listeners.add(grown)
    return () => this.#listeners.delete(grown)
  }

  acknowledged(offset: number): void {
    expect(offset).toBeGreaterThan(this.acknowledgedTo)
    expect(offset).toBeLessThanOrEqual(this.length)
    this.acknowledgedTo = offset
    this.dropped = Math.max(this.dropped, offset)
  }

  grow(length: number): void {
    this.length = Math.min(this.bytes.length, length)
    this.ended = this.length === this.bytes.length
    for (const grown of this.#listeners) grown()
  }
}
