import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { CallInHand } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'

/** A process that an agent starts while its model still answers is a few hundredths of a second younger than that. */
const MARGIN_MS = 20

/** The present step of one session's agent: it waits for its model, or runs commands. */
export class Turn {
  readonly #clock: Pick<Clock, 'now'>
  readonly #endCommands: (youngerMs: number) => Promise<number | null>
  readonly #calls = new Set<CallInHand>()
  #answeredAt: number | null

  /**
   * @param endCommands ends what its session has started within this time
   * @param answeredAt the time of the last answer to it that an earlier server has seen, in milliseconds UTC
   */
  constructor(
    clock: Pick<Clock, 'now'>,
    endCommands: (ms: number) => Promise<number | null>,
    answeredAt: number | null,
  ) {
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
  }

  over(call: CallInHand): void {
    this.#calls.delete(call)
  }

  /** Ends what its agent does, but not the agent. False: it was doing nothing that can be ended. */
  async stop(): Promise<boolean> {
    const cuts = [...this.#calls].flatMap(({ cut }) => cut ?? [])
    for (const cut of cuts) cut()
    // While it waits for its model, it runs nothing; what it has left in the background stays.
    if (this.#calls.size > 0) return cuts.length > 0
    if (this.#answeredAt === null) return false
    const youngerMs = Math.max(0, this.#clock.now() - this.#answeredAt) + MARGIN_MS
    return ((await this.#endCommands(youngerMs)) ?? 0) > 0
  }
}

/** The agents of one execution that are at work. */
export class Turns {
  readonly #turns = new Map<SessionId, Turn>()

  open(session: SessionId, turn: Turn): void {
    this.#turns.set(session, turn)
  }

  close(session: SessionId): void {
    this.#turns.delete(session)
  }

  /**
   * Resolves with the sessions in which anything was ended.
   *
   * @param session null: all of them
   */
  async stop(session: SessionId | null): Promise<SessionId[]> {
    const turns = [...this.#turns].filter(([id]) => session === null || id === session)
    const stopped = await Promise.all(turns.map(async ([id, turn]) => ((await turn.stop()) ? [id] : [])))
    return stopped.flat()
  }
}
