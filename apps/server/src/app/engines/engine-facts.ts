import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { EngineHealth } from '../../ports/engine.ts'
import { absentText, type Engines } from '../../ports/engines.ts'

/** The text for an engine before the first look. */
export const NOT_CHECKED = 'not checked yet'

const unchecked: EngineHealth = { ok: false, text: NOT_CHECKED, where: null, weaker: [], cpus: 0, memoryBytes: 0 }

/** Known facts about the engines that projects use: an engine that is away stops its own projects, and no others. */
export class EngineFacts {
  readonly #engines: Engines
  readonly #known = new Map<string, EngineHealth>()
  readonly #recovered = new Set<string>()
  readonly #looking = new Map<string, Promise<void>>()

  constructor(engines: Engines) {
    this.#engines = engines
  }

  health(name: string): EngineHealth {
    const known = this.#known.get(name)
    if (known !== undefined || this.#engines.names.includes(name)) return known ?? unchecked
    return { ...unchecked, text: absentText(name) } // that needs no look
  }

  /** The engines that were looked at, in their order. */
  all(): { name: string; health: EngineHealth }[] {
    return [...this.#known].map(([name, health]) => ({ name, health }))
  }

  /** An earlier server's containers there are recovered. */
  recovered(name: string): void {
    this.#recovered.add(name)
  }

  /** Why an engine's containers are not known yet, or null. They count as known if it does not answer. */
  unsettled(name: string): string | null {
    const health = this.#known.get(name)
    if (health === undefined) return `the engine ${name} has not been looked at yet`
    if (!health.ok || this.#recovered.has(name)) return null
    return `what an earlier server left running on ${name} is not taken up yet`
  }

  /** Why nothing can start there, or null. */
  obstacle(name: string): Reason | null {
    const { ok, text, full } = this.health(name)
    if (!ok && name === LOCAL_ENGINE) return { code: 'no_docker', text }
    if (!ok) return { code: 'engine_away', text: `${name}: ${text}` }
    if (this.#recovered.has(name)) return full === undefined ? null : { code: 'engine_full', text: `${name}: ${full}` }
    return { code: 'settling', text: 'the server is reattaching to what was running when it stopped' }
  }

  /** Resolves when `local` has answered, or will not; looks at the others continue in the background. */
  async look(names: readonly string[], changed: () => void): Promise<void> {
    for (const name of names) if (name !== LOCAL_ENGINE) void this.#look(name).then((isNew) => isNew && changed())
    await this.#look(LOCAL_ENGINE)
  }

  /** Whether something is different now. A look that takes long is not begun twice. */
  async #look(name: string): Promise<boolean> {
    const before = this.#summary(name)
    const looking = this.#looking.get(name) ?? this.#ask(name)
    this.#looking.set(name, looking)
    await looking
    return this.#summary(name) !== before
  }

  async #ask(name: string): Promise<void> {
    this.#known.set(name, await this.#engines.of(name).health())
    this.#looking.delete(name)
  }

  #summary(name: string): string {
    const { ok, text, where, weaker, full } = this.health(name)
    return JSON.stringify([ok, text, where, weaker, full])
  }
}
