import { brokenPromise, withoutUserNamespace, type RuntimeSeen } from '@beadloom/core/isolation/runtime-seen.ts'
import type { LimitName } from '@beadloom/core/container-limits/effective-limits.ts'
import { ineffectiveLimits, ineffectiveNote, neededLimits } from '@beadloom/core/container-limits/ineffective-limits.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import type { Clock } from '../../process/clock.ts'
import type { ContainerSpec, ImageId } from '../containers.ts'
import type { EngineFacts } from '../engine-info.ts'
import { askedLimits } from './asked-limits.ts'
import { probeConfig, type LimitProbe, type Probed } from './limit-probe.ts'

/** After a failed look, the next one comes after this time, not with each start. */
const AGAIN_MS = 60_000

/** `probed` null: nothing was seen, for the reason in `problem`. */
type Seen = { probed: Probed | null; problem: string | null }
type Look = { at: number; seen: Promise<Seen>; done: Seen | null }

/**
 * `looked`: seen from within, and not only reported by the engine. `broken`: a promise in the runtime's name that
 * containers do not see kept.
 */
export type KnownLimits = {
  ineffective: LimitName[]
  looked: boolean
  notes: string[]
  runtime: RuntimeSeen | null
  broken: string | null
}

const asked = askedLimits(probeConfig('', ''))

export type LimitsOptions = { probe: LimitProbe; allowUnlimited: boolean; clock: Pick<Clock, 'monotonic'> }

/**
 * Finds out which limits act on an engine, and which kernel its containers have. Both depend on the engine, not on the
 * container, so one look is enough for an engine. An image that a repository has influenced may lie about what it sees:
 * as long as there is none of our own, its report counts only for that image.
 */
export class EngineLimits {
  readonly #options: LimitsOptions
  readonly #looks = new Map<string, Look>()

  constructor(options: LimitsOptions) {
    this.#options = options
  }

  /** Looks if there is an image of ours and nobody has looked before. Need not be awaited: it never rejects. */
  async lookIfPossible(facts: EngineFacts): Promise<void> {
    if (facts.unusable) return
    await this.#withOwn(facts).catch(() => {}) // the engine is away, which the next caller that needs it will notice
  }

  /**
   * Call it before a container is made. Throws 'weaker-than-asked' if the container would lack a limit that every one
   * must have, or break its runtime's promise; or throws the error of an engine that is away. `unshown`: limits that
   * the engine shows for no container, so they are not missed in this one. `lacksIpv6`: as in `Probed`.
   */
  async before(
    facts: EngineFacts,
    { name, image }: Pick<ContainerSpec, 'name' | 'image'>,
  ): Promise<{ unshown: readonly LimitName[]; notes: string[]; lacksIpv6: boolean }> {
    const ofImage = () => this.#look(`${facts.engine} ${image}`, () => this.#probed(facts, image))
    const seen = (await this.#withOwn(facts)) ?? (await ofImage())
    const { ineffective, notes, broken } = this.#known(facts, seen)
    if (broken !== null) throw new EngineError('weaker-than-asked', `${name} was not opened: ${broken}`)
    if (neededLimits(ineffective).length > 0 && !this.#options.allowUnlimited)
      throw new EngineError('weaker-than-asked', `${name} was not opened: ${notes.join('. ')}`)
    const { unshown = facts.unlimited, lacksIpv6 = false } = seen.probed ?? {}
    return { unshown, notes, lacksIpv6 }
  }

  /** The known limits, without a look: until somebody has looked, only the engine's own word. */
  known(facts: EngineFacts): KnownLimits {
    return this.#known(facts, this.#looks.get(facts.engine)?.done ?? null)
  }

  #known(facts: EngineFacts, seen: Seen | null): KnownLimits {
    const acting = seen?.probed?.acting ?? null
    const ineffective = ineffectiveLimits(asked, acting, facts.unlimited)
    const note = ineffectiveNote(ineffective, facts.limitSource, this.#options.allowUnlimited)
    const runtime = seen?.probed?.runtime ?? null
    const broken = runtime === null ? null : brokenPromise(facts.runtime.name, runtime)
    const missing = runtime === null ? null : withoutUserNamespace(facts.runtime, runtime)
    const notes = [broken, missing, note, seen?.problem ?? null].filter((text) => text !== null)
    return { ineffective, looked: acting !== null, notes, runtime, broken }
  }

  /** Null: there is no image of ours to look with. */
  async #withOwn(facts: EngineFacts): Promise<Seen | null> {
    const image = this.#isKnown(facts.engine) ? '' : await this.#options.probe.ownImage()
    return image === null ? null : this.#look(facts.engine, () => this.#probed(facts, image))
  }

  async #look(key: string, work: () => Promise<Seen>): Promise<Seen> {
    const known = this.#looks.get(key)
    if (known && this.#isKnown(key)) return known.seen
    const look: Look = { at: this.#options.clock.monotonic(), seen: work(), done: null }
    this.#looks.set(key, look)
    try {
      return (look.done = await look.seen)
    } catch (error) {
      if (this.#looks.get(key) === look) this.#looks.delete(key)
      throw error
    }
  }

  #isKnown(key: string): boolean {
    const look = this.#looks.get(key)
    const failed = typeof look?.done?.problem === 'string'
    return look !== undefined && !(failed && this.#options.clock.monotonic() - look.at >= AGAIN_MS)
  }

  /** Rejects when the engine is away. */
  async #probed(facts: EngineFacts, image: ImageId): Promise<Seen> {
    try {
      return { probed: await this.#options.probe.look(facts, image), problem: null }
    } catch (error) {
      if (error instanceof EngineError && (error.kind === 'unreachable' || error.kind === 'timed-out')) throw error
      const problem = `whether the limits of containers act could not be looked at: ${messageOf(error)}`
      return { probed: null, problem }
    }
  }
}
