import { LINK_FOLDER } from '@beadloom/core/execution/session-order.ts'
import type { SharesHost } from './connection/shares-host.ts'
import { inspectContainer } from './container-state.ts'
import type { LinkWay } from './containers.ts'
import type { DockerClient } from './docker-client.ts'
import { isUnseenFolder } from './docker-error.ts'
import type { EngineFacts } from './engine-info.ts'

/** An engine of this machine with mounts of its own: in a snap or a container, with its socket in the usual place. */
const seesNothing: SharesHost = { shares: false, why: "the engine does not see this machine's folders" }

/** The ways by which the supervisors of an engine's containers reach this server. */
export class LinkWays {
  readonly #client: DockerClient
  /** Whether the engine could not mount a link's folder. */
  #seesNothing = false
  /** Containers that are known to have their folder. */
  readonly #mounted = new Set<string>()

  constructor(client: DockerClient) {
    this.#client = client
  }

  /** Corrects the facts about the engine by what it has shown since. */
  corrected(facts: EngineFacts): EngineFacts {
    return this.#seesNothing ? { ...facts, sharesHost: seesNothing } : facts
  }

  /** @param container an existing one; null: for new ones */
  async of(container: string | null, { sharesHost }: EngineFacts): Promise<LinkWay> {
    if (sharesHost.shares !== true) return 'exec'
    return container === null || (await this.#hasFolder(container)) ? 'socket' : 'exec'
  }

  /** Whether exec can reach a container that a socket cannot, by this error; if so, exec is used from then on. */
  isUnseen(error: unknown, { abilities }: EngineFacts): boolean {
    if (!abilities.exec || !isUnseenFolder(error)) return false
    this.#seesNothing = true
    return true
  }

  mounted(container: string): void {
    this.#mounted.add(container)
  }

  forget(container: string): void {
    this.#mounted.delete(container)
  }

  /** True for a container that is gone: it needs no other way. */
  async #hasFolder(container: string): Promise<boolean> {
    if (this.#mounted.has(container)) return true
    const info = await inspectContainer(this.#client, container)
    if (info && !info.Mounts.some(({ Destination }) => Destination === LINK_FOLDER)) return false
    this.#mounted.add(container)
    return true
  }
}
