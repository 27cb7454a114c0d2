import type { SessionView } from '@beadloom/core/supervisor/session-control.ts'
import type { SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import type { Spool } from '@beadloom/core/link/spool.ts'
import type { SessionSpool } from './spool/session-spool.ts'

/** A session whose processes are all gone. Its spool is kept until a server has stored it. */
export class PastSession {
  readonly name: string
  readonly end: SessionEnd
  #spool: SessionSpool | null
  #offset: number

  /** @param offset the offset of the spool's end, if the spool is gone */
  constructor(name: string, end: SessionEnd, spool: SessionSpool | null, offset: number) {
    this.name = name
    this.end = end
    this.#spool = spool
    this.#offset = offset
  }

  /** Whether a server has stored everything of it. */
  get isStored(): boolean {
    return this.#spool === null
  }

  get spool(): Spool {
    return this.#spool ?? emptySpool(this.#offset)
  }

  view(): SessionView {
    const offsets = this.#spool?.offsets ?? { end: this.#offset, acknowledged: this.#offset }
    return { state: 'ended', session: this.name, end: this.end, spool: offsets }
  }

  /** Calls `stored` once, when all of the spool is stored and its files are gone. */
  dropWhenStored(stored: () => void): void {
    const spool = this.#spool
    if (!spool) return
    const look = (): void => {
      if (!spool.ended || !spool.isStored || this.#spool === null) return
      unwatch()
      this.#offset = spool.offsets.end
      this.#spool = null
      spool.remove()
      stored()
    }
    const unwatch = spool.watch(look)
    look()
  }

  close(): void {
    this.#spool?.close()
  }
}

const emptySpool = (end: number): Spool => ({
  read: (offset) => ({ from: Math.max(offset, end), bytes: new Uint8Array(0), ended: true }),
  watch: () => () => {},
  acknowledged: () => {},
})
