import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type {
  AgentPackage,
  BaseImage,
  Engine,
  EngineHealth,
  EngineImage,
  Making,
  Opened,
  Pushed,
} from '../../ports/engine.ts'
import type { HealthCheck, Service, ServiceSpec } from '../../ports/service.ts'
import type { EnvironmentId, EnvironmentKey, OwnedSandbox, Sandbox, SandboxSpec } from '../../ports/sandbox.ts'
import { ContainerService } from '../services/container-service.ts'
import { ContainerSandbox } from './container-sandbox.ts'
import type { Containers } from '../containers.ts'
import { folderOf, openLink, removeLink, type Links } from './links.ts'
import { tagOf } from './environment-tag.ts'
import { magicOf } from './session-name.ts'

/**
 * Sandboxes made of containers. The supervisor in each starts sessions as processes. It connects to this server through
 * a folder of this host that is mounted into it, or through the engine. A sandbox that is kept becomes a tagged image.
 */
export class SandboxEngine implements Engine {
  readonly name: string
  readonly #containers: Containers
  readonly #links: Links

  constructor(containers: Containers, links: Links, name: string = LOCAL_ENGINE) {
    this.name = name
    this.#containers = containers
    this.#links = links
  }

  health(): Promise<EngineHealth> {
    return this.#containers.health()
  }

  prepare(base: BaseImage, agent: AgentPackage | null, { onProgress, signal }: Making): Promise<EnvironmentId> {
    return this.#containers.runtimeImage(base, onProgress, signal, agent)
  }

  environment(key: EnvironmentKey): Promise<EnvironmentId | null> {
    return this.#containers.findImage(tagOf(key))
  }

  imageName(key: EnvironmentKey): string {
    return tagOf(key)
  }

  push(environment: EnvironmentId, registry: string, { onProgress, signal }: Making): Promise<Pushed> {
    return this.#containers.push(environment, registry, onProgress, signal)
  }

  images(): Promise<EngineImage[]> {
    return this.#containers.images()
  }

  removeImage(name: string): Promise<void> {
    return this.#containers.removeImage(name)
  }

  async agentBytes(agent: AgentPackage): Promise<number | null> {
    return (await this.#containers.agentImage(agent))?.bytes ?? null
  }

  async open({ environment: image, owner, purpose, project, ...spec }: SandboxSpec): Promise<Opened> {
    const { name } = spec
    const link = await openLink(this.#links, name)
    try {
      const labels = { execution: owner ?? '', kind: purpose, ...(project !== undefined && { project }) }
      const isMounted = (await this.#containers.linkBy()) === 'socket'
      const linkFolder = isMounted ? folderOf(this.#links.folder, name) : null
      const { id, clamped } = await this.#containers.create({
        ...spec,
        image,
        labels,
        linkFolder,
        magic: magicOf(name),
      })
      return { sandbox: new ContainerSandbox(this.#containers, this.#links, { id, name }, link), clamped }
    } catch (error) {
      link.letGo()
      await removeLink(this.#links, name).catch(this.#links.report)
      throw error
    }
  }

  sandbox(known: Pick<Sandbox, 'id' | 'name'>): Sandbox {
    return new ContainerSandbox(this.#containers, this.#links, known, null)
  }

  serviceImage(image: string, { onProgress, signal }: Making): Promise<{ health: HealthCheck | null }> {
    return this.#containers.serviceImage(image, onProgress, signal)
  }

  async openService({ id: beside }: Pick<Sandbox, 'id'>, spec: ServiceSpec): Promise<Service> {
    const { id } = await this.#containers.createService(spec, beside)
    return new ContainerService(this.#containers, { id, name: spec.name })
  }

  service(known: Pick<Service, 'id' | 'name'>): Service {
    return new ContainerService(this.#containers, known)
  }

  async owned(): Promise<OwnedSandbox[]> {
    const found = await this.#containers.list()
    return found.map(({ execution: owner, kind: purpose, ...rest }) => ({ ...rest, owner: owner || null, purpose }))
  }

  async tidy(names: readonly string[]): Promise<void> {
    const known = new Set(names.map((name) => basename(folderOf('/', name))))
    for (const folder of [this.#links.folder, this.#links.copies])
      for (const name of await readdir(folder))
        if (!known.has(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
}
