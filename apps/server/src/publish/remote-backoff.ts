import { waitOfKind, type PendingPush } from '@beadloom/core/records/wait.ts'
import { storedOf, type LiveExecution } from '../execution/live-execution.ts'
import { throwIfStopped } from '../execution/stop.ts'

/** The first waits, for a remote that hiccups; for one that is down the wait doubles each time. */
const FIRST_DELAYS_MS = [1_000, 5_000, 15_000]
const LONGEST_DELAY_MS = 10 * 60_000
/** A night and a working day: by then somebody has seen it. */
const LONGEST_WAIT_MS = 24 * 3_600_000

/** A remote's failure. `person`: only a person can mend it, so it is asked rarely. */
export type Away = { why: string; person: boolean }

/**
 * Waits for a remote that is away. The execution stays RUNNING meanwhile, but holds no container and so no slot, and
 * its deadline stops: nothing of it runs. The wait is stored, so that a restart continues with the same count.
 */
export class RemoteBackoff {
  readonly #live: LiveExecution
  readonly #whileAway: () => Promise<void>
  #pending: PendingPush | null
  #waitedBefore: number
  #since: number

  /** @param whileAway frees everything that a wait does not need; called before each one */
  constructor(live: LiveExecution, whileAway: () => Promise<void>) {
    const { clock } = live.deps
    this.#live = live
    this.#whileAway = whileAway
    this.#pending = waitOfKind(storedOf(live).waits, 'push')
    this.#waitedBefore = this.#pending ? Math.max(0, clock.now() - this.#pending.since) : 0
    this.#since = clock.monotonic()
    if (this.#pending) live.watchdog.hold()
  }

  /** Repeats a call to the remote until it is answered, or the wait is given up. */
  async until<T>(ask: () => Promise<T | { away: Away }>): Promise<T | { gaveUp: string }> {
    for (;;) {
      const answer = await ask()
      if (typeof answer !== 'object' || answer === null || !('away' in answer)) {
        await this.end()
        return answer as T
      }
      throwIfStopped(this.#live.stopper)
      if (!(await this.#wait(answer.away))) return { gaveUp: answer.away.why }
    }
  }

  /** The remote has answered, or the execution ends. */
  async end(): Promise<void> {
    if (!this.#pending) return
    await this.#note(null)
    this.#live.watchdog.resume()
  }

  async #wait({ why, person }: Away): Promise<boolean> {
    const { clock, store } = this.#live.deps
    const first = this.#pending === null
    if (first) {
      this.#waitedBefore = 0
      this.#since = clock.monotonic()
    }
    const left = LONGEST_WAIT_MS - this.#waitedBefore - (clock.monotonic() - this.#since)
    if (left <= 0) return false
    const tries = (this.#pending?.tries ?? 0) + 1
    const delay = Math.min(person ? LONGEST_DELAY_MS : delayAfter(tries), left)
    const now = clock.now()
    await this.#note({ since: this.#pending?.since ?? now, tries, nextAt: now + delay, why })
    await store.addEvent(this.#live.id, null, 'push_pending', { tries, inMs: delay, nextAt: now + delay, why })
    this.#live.watchdog.hold()
    await this.#whileAway()
    await clock.sleep(delay, this.#live.stopper.signal)
    throwIfStopped(this.#live.stopper)
    return true
  }

  async #note(pendingPush: PendingPush | null): Promise<void> {
    this.#pending = pendingPush
    await this.#live.deps.store.noteExecution(this.#live.id, { pendingPush })
  }
}

/** Milliseconds before the next try, after this many. */
export function delayAfter(tries: number): number {
  const known = FIRST_DELAYS_MS[tries - 1]
  if (known !== undefined) return known
  const doubled = (FIRST_DELAYS_MS.at(-1) ?? 0) * 2 ** (tries - FIRST_DELAYS_MS.length)
  return Math.min(doubled, LONGEST_DELAY_MS)
}
