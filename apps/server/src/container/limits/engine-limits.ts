import type { LimitName } from '@beadloom/core/limits/effective-limits.ts'
import { ineffectiveLimits, ineffectiveNote, neededLimits } from '@beadloom/core/limits/ineffective-limits.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import type { Clock } from '../../process/clock.ts'
import type { ContainerSpec, ImageId } from '../containers.ts'
import type { EngineFacts } from '../engine-info.ts'
import { askedLimits } from './asked-limits.ts'
import { probeConfig, type LimitProbe, type Probed } from './limit-probe.ts'

/** What could not be seen is looked at again after this time, not with each start. */
const AGAIN_MS = 60_000

/** `probed` null: nobody has looked, or nothing was seen, for the reason in `problem`. */
type Seen = { probed: Probed | null; problem: string | null }
type Look = { engine: string; at: number; seen: Promise<Seen>; done: Seen | null }

const nothing: Seen = { probed: null, problem: null }
const asked = askedLimits(probeConfig('', ''))

export type LimitsOptions = { probe: LimitProbe; allowUnlimited: boolean; clock: Pick<Clock, 'monotonic'> }

/**
 * Which limits act on an engine. It is the engine that makes the difference, not the container, so one look is enough
 * until the engine is another one.
 */
export class EngineLimits {
  readonly #options: LimitsOptions
  #look: Look | null = null

  constructor(options: LimitsOptions) {
    this.#options = options
  }

  /** Looks if there is an image to look with, unless somebody has before. Need not be waited for: it never rejects. */
  async lookIfPossible(facts: EngineFacts): Promise<void> {
    if (this.#current(facts) !== null) return
    const look = async (): Promise<Seen> => {
      const image = await this.#options.probe.anyImage()
      if (image !== null) return this.#probed(facts, image)
      this.#look = null
      return nothing
    }
    await this.#begin(facts, look).catch(() => {}) // the engine is away, and whoever needs it hears of that
  }

  /**
   * Before a container is made. Throws 'weaker-than-asked' for one that would lack a limit that all have to have, or
   * the error of an engine that is away.
   * `unshown`: limits that the engine shows of no container, so that they are not missed in this one.
   */
  async before(
    facts: EngineFacts,
    { name, image }: Pick<ContainerSpec, 'name' | 'image'>,
  ): Promise<{ unshown: readonly LimitName[]; notes: string[] }> {
    await this.#current(facts)?.seen
    if (this.#current(facts) === null) await this.#begin(facts, () => this.#probed(facts, image))
    else await this.#current(facts)?.seen
    const { ineffective, notes } = this.known(facts)
    if (neededLimits(ineffective).length > 0 && !this.#options.allowUnlimited)
      throw new EngineError('weaker-than-asked', `${name} was not opened: ${notes.join('. ')}`)
    return { unshown: this.#current(facts)?.done?.probed?.unshown ?? facts.unlimited, notes }
  }

  /** What is known without looking: as long as nobody has, it is the engine's own word. */
  known(facts: EngineFacts): { ineffective: LimitName[]; looked: boolean; notes: string[] } {
    const { probed, problem } = this.#current(facts)?.done ?? nothing
    const ineffective = ineffectiveLimits(asked, probed?.acting ?? null, facts.unlimited)
    const note = ineffectiveNote(ineffective, facts.limitSource, this.#options.allowUnlimited)
    return { ineffective, looked: probed !== null, notes: [note, problem].filter((text) => text !== null) }
  }

  #current({ engine }: EngineFacts): Look | null {
    const look = this.#look
    if (look?.engine !== engine) return null
    const failed = typeof look.done?.problem === 'string'
    return failed && this.#options.clock.monotonic() - look.at >= AGAIN_MS ? null : look
  }

  async #begin({ engine }: EngineFacts, work: () => Promise<Seen>): Promise<void> {
    const seen = work()
    const look: Look = { engine, at: this.#options.clock.monotonic(), seen, done: null }
    this.#look = look
    try {
      look.done = await seen
    } catch (error) {
      if (this.#look === look) this.#look = null
      throw error
    }
  }

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
