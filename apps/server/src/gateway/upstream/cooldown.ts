import type { GatewayCaller } from '../../ports/gateway.ts'
import type { ParkedModel, CooldownStore } from '../../ports/store/cooldowns.ts'
import type { Clock } from '../../process/clock.ts'
import type { Endpoint } from './upstream.ts'

/** A server without a memory: what is parked is forgotten with it. */
export const forgetful: CooldownStore = { parkModel: () => {}, parkedModels: () => [] }

/**
 * The models that asked to be left alone, each until when. One answer parks a model for every session: the others
 * would only be told the same.
 */
export class Parking {
  #clock: Clock
  #store: CooldownStore
  #longestMs: number
  #parked: Map<string, ParkedModel>
  #report: (error: unknown) => void
  #told = new WeakMap<GatewayCaller, number>()

  /**
   * `longestMs`: no time further ahead is believed, whoever says it. `report` is told when the store cannot keep one, on
   * a full disk: it is parked all the same.
   */
  constructor(clock: Clock, store: CooldownStore, longestMs: number, report: (error: unknown) => void) {
    this.#clock = clock
    this.#store = store
    this.#longestMs = longestMs
    this.#report = report
    this.#parked = new Map(store.parkedModels().map((one) => [one.model, this.#believed(one)]))
  }

  static key = (model: string, endpoint: Endpoint): string => `${model} at ${endpoint.where}`

  /** Null when it may be asked. */
  of(key: string): ParkedModel | null {
    const parked = this.#parked.get(key)
    return parked && parked.until > this.#clock.now() ? parked : null
  }

  /** The one that is parked longest of an endpoint's models. */
  anyAt(endpoint: Endpoint): ParkedModel | null {
    const here = [...this.#parked.keys()].filter((key) => key.endsWith(` at ${endpoint.where}`))
    return here.flatMap((key) => this.of(key) ?? []).sort((a, b) => b.until - a.until)[0] ?? null
  }

  /** An earlier answer that asked for longer holds. */
  park(key: string, forMs: number, why: string): ParkedModel {
    const now = this.#clock.now()
    const known = this.of(key)
    const parked = this.#believed({ model: key, until: Math.ceil(now + forMs), why })
    if (known && known.until >= parked.until) return known
    for (const [other, { until }] of this.#parked) if (until <= now) this.#parked.delete(other)
    this.#parked.set(key, parked)
    try {
      this.#store.parkModel(parked)
    } catch (error) {
      this.#report(error)
    }
    return parked
  }

  /** Tells a session once for each time to wait until. */
  tell(who: GatewayCaller, parked: ParkedModel): void {
    if (this.#told.get(who) === parked.until) return
    this.#told.set(who, parked.until)
    who.onParked(parked)
  }

  #believed(parked: ParkedModel): ParkedModel {
    return { ...parked, until: Math.min(parked.until, this.#clock.now() + this.#longestMs) }
  }
}
