import type { GatewayCaller } from '../../ports/gateway.ts'
import type { Cooldown, WaitingCooldowns } from '../../ports/store/cooldowns.ts'
import type { Clock } from '../../process/clock.ts'
import type { Endpoint } from './endpoint.ts'

/** Stores nothing: cooldowns end with the server. */
export const forgetful: WaitingCooldowns = { addCooldown: () => {}, cooldowns: () => [] }

/** `ends`: by the clock of durations. */
type Running = { cooldown: Cooldown; ends: number }

/**
 * The models that asked for a pause, each with its end. One such answer makes every session wait: the others would only
 * get the same.
 */
export class Cooldowns {
  #clock: Clock
  #store: WaitingCooldowns
  #longestMs: number
  #running: Map<string, Running>
  #report: (error: unknown) => void
  #told = new WeakMap<GatewayCaller, number>()

  /**
   * `longestMs`: a time further ahead is never believed. `report` is called when the store cannot keep a cooldown, as
   * on a full disk: it applies all the same.
   */
  constructor(clock: Clock, store: WaitingCooldowns, longestMs: number, report: (error: unknown) => void) {
    this.#clock = clock
    this.#store = store
    this.#longestMs = longestMs
    this.#report = report
    this.#running = new Map(store.cooldowns().map((one) => [one.model, this.#begun(one)]))
  }

  static key = (model: string, endpoint: Endpoint): string => `${model} at ${endpoint.where}`

  /** The cooldown of a model; null when it may be asked. */
  of(key: string): Cooldown | null {
    const known = this.#running.get(key)
    return known && this.#leftOf(known) > 0 ? known.cooldown : null
  }

  /** In milliseconds; 0 when it may be asked. */
  leftMs(key: string): number {
    const known = this.#running.get(key)
    return known ? Math.max(0, this.#leftOf(known)) : 0
  }

  /** A wall clock that is set back prolongs no wait; time that passes while we sleep shortens it. */
  #leftOf({ cooldown, ends }: Running): number {
    return Math.min(cooldown.until - this.#clock.now(), ends - this.#clock.monotonic())
  }

  /** The longest cooldown among an endpoint's models. */
  longestAt(endpoint: Endpoint): Cooldown | null {
    const here = [...this.#running.keys()].filter((key) => key.endsWith(` at ${endpoint.where}`))
    return here.flatMap((key) => this.of(key) ?? []).sort((a, b) => b.until - a.until)[0] ?? null
  }

  /** Starts a cooldown, unless an earlier answer asked for a longer one. */
  start(key: string, forMs: number, why: string): Cooldown {
    const now = this.#clock.now()
    const known = this.of(key)
    const cooldown = this.#believed({ model: key, until: Math.ceil(now + forMs), why })
    if (known && known.until >= cooldown.until) return known
    for (const [other, one] of this.#running) if (this.#leftOf(one) <= 0) this.#running.delete(other)
    this.#running.set(key, this.#begun(cooldown))
    const stored = async () => this.#store.addCooldown(cooldown)
    void stored().catch(this.#report)
    return cooldown
  }

  /** Tells a session about a cooldown, once for each end. */
  tell(who: GatewayCaller, cooldown: Cooldown): void {
    if (this.#told.get(who) === cooldown.until) return
    this.#told.set(who, cooldown.until)
    who.tell({ type: 'cooling_down', cooldown })
  }

  #begun(told: Cooldown): Running {
    const cooldown = this.#believed(told)
    return { cooldown, ends: this.#clock.monotonic() + cooldown.until - this.#clock.now() }
  }

  #believed(cooldown: Cooldown): Cooldown {
    return { ...cooldown, until: Math.min(cooldown.until, this.#clock.now() + this.#longestMs) }
  }
}
