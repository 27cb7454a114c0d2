import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { SessionLog } from './session-log.ts'

/** An open log. Each user gives it back; the last one closes it, and the next one waits for that. */
type Entry = { ready: Promise<SessionLog>; log: SessionLog | null; users: number; closed: PromiseWithResolvers<void> }

/** The logs that are being written, each opened once for all of its writers (one recording, and notes). */
export class OpenLogs {
  readonly #open: (session: SessionId) => Promise<SessionLog>
  readonly #entries = new Map<SessionId, Entry>()

  constructor(open: (session: SessionId) => Promise<SessionLog>) {
    this.#open = open
  }

  get(session: SessionId): SessionLog | null {
    return this.#entries.get(session)?.log ?? null
  }

  async take(session: SessionId): Promise<SessionLog> {
    let entry = this.#entries.get(session)
    while (entry && entry.users === 0) {
      await entry.closed.promise.catch(() => undefined) // reported to the user that closed it
      entry = this.#entries.get(session)
    }
    entry ??= this.#begin(session)
    entry.users += 1
    try {
      return await entry.ready
    } catch (error) {
      this.#entries.delete(session)
      throw error
    }
  }

  /** `last`: the log is being closed now. `closed` rejects when the rest could not be written. */
  giveBack(session: SessionId): { last: boolean; closed: Promise<void> } {
    const entry = this.#entries.get(session)!
    entry.users -= 1
    const { promise, resolve, reject } = entry.closed
    const last = entry.users === 0
    if (last)
      void entry
        .log!.close()
        .finally(() => this.#entries.delete(session))
        .then(resolve, reject)
    return { last, closed: promise }
  }

  #begin(session: SessionId): Entry {
    const entry: Entry = { ready: this.#open(session), log: null, users: 0, closed: Promise.withResolvers() }
    entry.closed.promise.catch(() => undefined) // not every user awaits it
    entry.ready.then(
      (log) => (entry.log = log),
      () => undefined,
    )
    this.#entries.set(session, entry)
    return entry
  }
}
