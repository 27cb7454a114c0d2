import type { OutputSender } from './output-sender.ts'
import type { FindSpool, Spool, SpoolPiece } from './spool.ts'

/** Gives a follower the spool's bytes as fast as it takes them: one read at a time, and none without room. */
export function feedFrom(spools: FindSpool, sender: OutputSender): void {
  const spool = spools(sender.spool)
  if (spool) new SpoolFeed(spool, sender)
  else sender.fail()
}

class SpoolFeed {
  readonly #spool: Spool
  readonly #sender: OutputSender
  readonly #unwatch: () => void
  #isReading = false
  /** Something may have been added since the last read began. */
  #mayHaveMore = true
  #hasEnded = false

  constructor(spool: Spool, sender: OutputSender) {
    this.#spool = spool
    this.#sender = sender
    this.#unwatch = spool.watch(() => {
      this.#mayHaveMore = true
      this.#readOn()
    })
    sender.events = {
      room: () => this.#readOn(),
      acknowledged: (offset) => spool.acknowledged(offset),
      closed: () => this.#stop(),
    }
    this.#readOn()
  }

  #readOn(): void {
    if (this.#isReading || !this.#mayHaveMore || this.#hasEnded || this.#sender.room === 0) return
    this.#isReading = true
    this.#mayHaveMore = false
    try {
      const piece = this.#spool.read(this.#sender.next, this.#sender.room)
      if (!('then' in piece)) return this.#give(piece)
      piece.then(
        (read) => this.#give(read),
        () => this.#fail(),
      )
    } catch {
      this.#fail()
    }
  }

  #give(piece: SpoolPiece): void {
    this.#isReading = false
    if (this.#hasEnded) return
    try {
      const isNews = piece.bytes.length > 0 || piece.from > this.#sender.next || piece.ended
      if (isNews) this.#sender.offer(piece)
      this.#mayHaveMore ||= isNews
      this.#hasEnded = piece.ended
    } catch {
      return this.#fail()
    }
    // Asynchronous, because a spool that answers at once would fill the stack with a call for each piece.
    if (this.#mayHaveMore && this.#sender.room > 0) void Promise.resolve().then(() => this.#readOn())
  }

  #fail(): void {
    this.#isReading = false
    this.#sender.fail()
    this.#stop()
  }

  #stop(): void {
    this.#hasEnded = true
    this.#unwatch()
  }
}
