import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { CallInHand } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'

/** A process that an agent starts while its model still answers is a few hundredths of a second younger than that. */
const MARGIN_MS = 20
/** Between two looks for commands, and the time after which an agent that makes no call does something else. */
const LOOK_AGAIN_MS = 300
const LONGEST_MS = 30_000

/** The current step of one session's agent: it waits for its model, or runs commands. */
export class Turn {
  readonly #clock: Clock
  readonly #endCommands: (youngerMs: number) => Promise<number | null>
  readonly #calls = new Set<CallInHand>()
  readonly #closed = new AbortController()
  #ending: Promise<unknown> = Promise.resolve()
  /** Calls that it has made. */
  #begun = 0
  #answeredAt: number | null

  /**
   * @param endCommands ends what its session has started within this time
   * @param answeredAt the time of the last answer to it that an earlier server has seen, in milliseconds UTC
   */
  constructor(clock: Clock, endCommands: (ms: number) => Promise<number | null>, answeredAt: number | null) {
    this.#clock = clock
    this.#endCommands = endCommands
    this.#answeredAt = answeredAt
  }

  /** When the last answer began to arrive; null: there was none. */
  get answeredAt(): number | null {
    return this.#answeredAt
  }

  /** An answer to its agent begins: what its session starts from now on belongs to this step. */
  answering(): void {
    this.#answeredAt = this.#clock.now()
  }

  begin(call: CallInHand): void {
    this.#calls.add(call)
    this.#begun++
  }

  over(call: CallInHand): void {
    this.#calls.delete(call)
  }

  /**
   * Nothing of its step is being ended any more. An answer waits for this: the commands of the next step would be ended,
   * too.
   */
  async settled(): Promise<void> {
    await this.#ending.catch(() => {}) // whoever stops it reports that
  }

  /** Its session has ended. */
  close(): void {
    this.#closed.abort()
  }

  /**
   * Ends what its agent does, but not the agent. An agent starts a command a while after its model has asked for it, so
   * this looks again until its next call.
   *
   * @param ended called once, when anything was ended
   */
  async stop(ended: () => void): Promise<void> {
    const cuts = [...this.#calls].flatMap(({ cut }) => cut ?? [])
    for (const cut of cuts) cut()
    if (cuts.length > 0) ended()
    // While it waits for its model, it runs nothing; what it has left in the background stays.
    if (this.#calls.size > 0 || this.#answeredAt === null) return
    const [before, beganAt] = [this.#begun, this.#clock.monotonic()]
    for (let total = 0; this.#begun === before && !this.#closed.signal.aborted;) {
      const ending = this.#endCommands(Math.max(0, this.#clock.now() - this.#answeredAt) + MARGIN_MS)
      this.#ending = ending
      const some = (await ending) ?? 0
      if (total === 0 && some > 0) ended()
      total += some
      if (this.#clock.monotonic() - beganAt > LONGEST_MS) return
      await this.#clock.sleep(LOOK_AGAIN_MS, this.#closed.signal)
    }
  }
}

/** The agents of one execution that are at work. */
export class Turns {
  readonly #turns = new Map<SessionId, Turn>()

  open(session: SessionId, turn: Turn): void {
    this.#turns.set(session, turn)
  }

  close(session: SessionId): void {
    this.#turns.get(session)?.close()
    this.#turns.delete(session)
  }

  /**
   * Ends what they do.
   *
   * @param sessions null: all of them
   * @param ended called for each in which anything was ended
   */
  async stop(sessions: readonly SessionId[] | null, ended: (session: SessionId) => void): Promise<void> {
    const turns = [...this.#turns].filter(([id]) => sessions === null || sessions.includes(id))
    await Promise.all(turns.map(([id, turn]) => turn.stop(() => ended(id))))
  }
}
