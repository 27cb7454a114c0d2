import type { Exit, FrameSource } from '../../ports/sandbox.ts'
import type { HealthCheck, Service } from '../../ports/service.ts'
import type { Containers } from '../containers.ts'

/** A container without a supervisor, in the network of a sandbox. */
export class ContainerService implements Service {
  readonly id: string
  readonly name: string
  readonly #containers: Containers

  constructor(containers: Containers, { id, name }: Pick<Service, 'id' | 'name'>) {
    this.id = id
    this.name = name
    this.#containers = containers
  }

  start(): Promise<void> {
    return this.#containers.start(this.id)
  }

  isReady(check: HealthCheck): Promise<boolean> {
    return this.#containers.succeeds(this.id, check)
  }

  output(): FrameSource {
    return this.#containers.output(this.id)
  }

  ended(signal: AbortSignal): Promise<Exit> {
    return this.#containers.waitForExit(this.id, signal)
  }

  close(): Promise<void> {
    return this.#containers.remove(this.id)
  }
}
