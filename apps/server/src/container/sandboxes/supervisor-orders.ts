import type { Header } from '@beadloom/core/link/incoming-stream.ts'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import {
  MOST_AT_A_GATE,
  type OrderAnswer,
  type OrderKind,
  type SessionStart,
  type SessionView,
} from '@beadloom/core/supervisor/session-control.ts'
import type { SandboxLink } from '../../link/sandbox-link.ts'
import type { Clock } from '../../process/clock.ts'
import { limited } from '../../process/within.ts'
import { AGENT } from '../container-config.ts'

/** From the container's start to the answer to the first order: a busy host starts slowly. */
export const START_MS = 60_000
/** To load a session's process ahead. Without it, the session starts in the usual way. */
const AHEAD_MS = 5_000
/** Beyond the time that a session has for its end: then the container is stopped as a whole. */
const ANSWER_MS = 3_000
/** A process has a second to end, and is killed then. */
const INTERRUPT_MS = 5_000
/** To move the workspace's files; folders of the base image are copied. */
const ASIDE_MS = 900_000
/** For the first word of a supervisor that has said nothing yet. */
const STATE_MS = 10_000

/** A server's orders to the supervisor of one sandbox, with a limit for each answer. Null: none came in time. */
export class SupervisorOrders {
  readonly #link: SandboxLink
  readonly #clock: Clock

  constructor(link: SandboxLink, clock: Clock) {
    this.#link = link
    this.#clock = clock
  }

  /**
   * @param order the session's own order
   * @param over aborts when nothing can answer any more
   */
  start(session: string, order: SessionOrder, over: AbortSignal): Promise<OrderAnswer | null> {
    const sessionOrder = JSON.stringify(order)
    const told = sessionOrder.length <= MOST_AT_A_GATE ? { sessionOrder } : {}
    return this.#order('session-start', { session }, { ms: START_MS, over, body: { ...AGENT, ...told } })
  }

  startAhead(over: AbortSignal): Promise<OrderAnswer | null> {
    return this.#order('session-ahead', {}, { ms: AHEAD_MS, over, body: AGENT })
  }

  stop(session: string, graceMs: number): Promise<OrderAnswer | null> {
    return this.#order('session-stop', { session, graceMs }, { ms: graceMs + ANSWER_MS })
  }

  interrupt(session: string, youngerMs: number): Promise<OrderAnswer | null> {
    return this.#order('session-interrupt', { session, youngerMs }, { ms: INTERRUPT_MS })
  }

  forget(session: string): Promise<OrderAnswer | null> {
    return this.#order('session-forget', { session }, { ms: ANSWER_MS })
  }

  setAside(over: AbortSignal): Promise<OrderAnswer | null> {
    return this.#order('set-aside', {}, { ms: ASIDE_MS, over })
  }

  /** The supervisor's sessions, in the order in which they began. */
  async sessions(): Promise<SessionView[] | null> {
    const link = this.#link
    const limit = { clock: this.#clock, ms: STATE_MS }
    if (!(await limited(limit, (signal) => link.until(() => link.state !== null, signal)))) return null
    return [...(link.state?.sessions ?? [])].sort((a, b) => begunAt(a) - begunAt(b))
  }

  #order(
    kind: OrderKind,
    header: Header,
    { ms, over, body }: { ms: number; over?: AbortSignal; body?: SessionStart },
  ): Promise<OrderAnswer | null> {
    return limited({ clock: this.#clock, ms, or: over }, (signal) => this.#link.order(kind, header, body, signal))
  }
}

const begunAt = (session: SessionView): number =>
  session.state === 'running' ? session.startedAt : session.end.startedAt
