import { MOST_ENTRIES, type EgressOutcome } from '@beadloom/core/egress/ledger.ts'
import type { EgressNote } from '../ports/store/egress.ts'
import type { Clock } from '../process/clock.ts'

/** Between two writes. A killed server loses no more than this. */
const WRITE_MS = 1_000

/** The hosts that one session asked for, on their way to the store. */
export class EgressLedger {
  readonly #write: (notes: readonly EgressNote[]) => Promise<void>
  readonly #clock: Clock
  readonly #new = new Map<string, EgressNote>()
  readonly #closed = new AbortController()
  #known = new Set<string>()
  #writing: Promise<void> | null = null

  constructor(write: (notes: readonly EgressNote[]) => Promise<void>, clock: Clock) {
    this.#write = write
    this.#clock = clock
  }

  /** Notes how a request ended. Returns a function that adds the bytes of its connection. */
  note(host: string, port: number, outcome: EgressOutcome): (sent: number, received: number) => void {
    this.#add(host, port, outcome, { count: 1, sent: 0, received: 0 })
    return (sent, received) => {
      if (sent > 0 || received > 0) this.#add(host, port, outcome, { count: 0, sent, received })
    }
  }

  /** Resolves when everything is stored; nothing is noted afterwards. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.#writing
    await this.#flush()
  }

  #add(
    host: string,
    port: number,
    outcome: EgressOutcome,
    more: Pick<EgressNote, 'count' | 'sent' | 'received'>,
  ): void {
    const full = `${host} ${port} ${outcome}`
    const isNamed = host !== '' && (this.#known.has(full) || this.#known.size < MOST_ENTRIES)
    if (isNamed) this.#known.add(full)
    const key = isNamed ? full : ` 0 ${outcome}`
    const before = this.#new.get(key) ?? { host: isNamed ? host : '', port: isNamed ? port : 0, outcome, count: 0, sent: 0, received: 0 } // prettier-ignore
    this.#new.set(key, {
      ...before,
      count: before.count + more.count,
      sent: before.sent + more.sent,
      received: before.received + more.received,
    })
    this.#writing ??= this.#later()
  }

  async #later(): Promise<void> {
    await this.#clock.sleep(WRITE_MS, this.#closed.signal)
    await this.#flush()
    this.#writing = null
    if (this.#new.size > 0 && !this.#closed.signal.aborted) this.#writing = this.#later()
  }

  async #flush(): Promise<void> {
    if (this.#new.size === 0) return
    const notes = [...this.#new.values()]
    this.#new.clear()
    await this.#write(notes)
  }
}
