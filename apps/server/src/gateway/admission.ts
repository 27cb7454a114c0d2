import type { IncomingMessage } from 'node:http'
import type { GatewayCaller } from '../ports/gateway.ts'
import type { Clock } from '../process/clock.ts'
import { Turnstile } from '../process/turnstile.ts'
import { ByteBudget } from './byte-budget.ts'
import type { GatewayBounds } from './bounds.ts'
import { gatewayBusy, reasonOf, type Problem } from './problem.ts'
import { limited } from '../process/within.ts'

/** A call that may begin. Each function may be called more than once. */
export type Admitted = {
  /** Takes the body's true size in bytes, and gives back the rest of the reservation. */
  shrinkTo: (bytes: number) => void
  /** Call it when nothing holds the body any more. */
  forget: () => void
  leave: () => void
}

/**
 * Decides which calls may begin, before a byte of their bodies is read. It bounds the calls of each container, and the
 * bytes of bodies, for each container and for the server. Others wait a while with their bodies unread, then are
 * refused.
 */
export class Admission {
  readonly #clock: Clock
  readonly #bounds: GatewayBounds
  readonly #bytes: ByteBudget
  /** By execution, which has one container with an agent. */
  readonly #calls = new Map<string, { turnstile: Turnstile; calls: number }>()

  constructor(clock: Clock, bounds: GatewayBounds) {
    this.#clock = clock
    this.#bounds = bounds
    this.#bytes = new ByteBudget({ each: bounds.containerBytes, all: bounds.serverBytes })
  }

  async enter(
    { execution }: GatewayCaller,
    request: IncomingMessage,
    signal: AbortSignal,
  ): Promise<Admitted | { failed: Problem }> {
    const known = this.#calls.get(execution) ?? { turnstile: new Turnstile(this.#bounds.callsAtOnce), calls: 0 }
    this.#calls.set(execution, known)
    known.calls += 1
    const gone = () => {
      if (--known.calls === 0) this.#calls.delete(execution)
    }
    const bytes = asked(request, this.#bounds.requestBytes)
    const isFree = !known.turnstile.isFull && this.#bytes.fits(execution, bytes)
    const how = { of: execution, bytes, turnstile: known.turnstile, gone }
    const entered = isFree ? await this.#enter(how, signal) : await this.#enterInTime(how, signal)
    if ('failed' in entered) gone()
    return entered
  }

  async #enterInTime(asking: Asking, signal: AbortSignal): Promise<Admitted | { failed: Problem }> {
    const { admissionMs: ms } = this.#bounds
    const limit = { clock: this.#clock, ms, or: signal, reason: () => gatewayBusy(ms) }
    return limited(limit, (either) => this.#enter(asking, either))
  }

  async #enter({ of, bytes, turnstile, gone }: Asking, signal: AbortSignal): Promise<Admitted | { failed: Problem }> {
    // If there is room, both are taken in this very tick; a call that waits for its turn holds no bytes meanwhile.
    const entering = turnstile.isFull ? await turnstile.enter(signal) : turnstile.enter(signal)
    const taking = this.#bytes.take(of, bytes, signal)
    const [leave, taken] = await Promise.all([entering, taking])
    if (leave === null || !taken) {
      leave?.()
      if (taken) this.#bytes.give(of, bytes)
      return { failed: reasonOf(signal) }
    }
    let held = bytes
    const shrinkTo = (bytes: number) => {
      if (bytes >= held) return
      this.#bytes.give(of, held - bytes)
      held = bytes
    }
    const forget = () => shrinkTo(0)
    let inside = true
    return {
      shrinkTo,
      forget,
      leave: () => {
        forget()
        if (!inside) return
        inside = false
        leave()
        gone()
      },
    }
  }
}

type Asking = { of: string; bytes: number; turnstile: Turnstile; gone: () => void }

/** The length in the headers; without it, the most that a body may have. */
function asked({ headers }: IncomingMessage, most: number): number {
  const said = Number(headers['content-length'])
  return Number.isSafeInteger(said) && said >= 0 ? Math.min(said, most) : most
}
