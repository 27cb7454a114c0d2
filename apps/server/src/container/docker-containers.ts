import type { Readable } from 'node:stream'
import type { Carrier } from '../link/carried-link.ts'
import type { ContainerInspectInfo } from 'dockerode'
import type { LimitName } from '@beadloom/core/container-limits/effective-limits.ts'
import type {
  AgentLayer,
  ContainerSpec,
  ContainerState,
  Containers,
  Created,
  ImageId,
  LinkWay,
  OwnedContainer,
} from './containers.ts'
import {
  type AgentPackage,
  type BaseImage,
  EngineError,
  type EngineHealth,
  type EngineImage,
  type Pushed,
} from '../ports/engine.ts'
import type { Exit, FrameSource } from '../ports/sandbox.ts'
import type { HealthCheck, ServiceSpec } from '../ports/service.ts'
import { BaseImages } from './images/base-image.ts'
import { configFolder } from './connection/docker-context.ts'
import { placeOf } from './connection/engine-memory.ts'
import { surroundingsOf } from './connection/surroundings.ts'
import { commitContainer } from './images/commit.ts'
import { effectiveConfig } from './effective-config.ts'
import { clampTo, containerConfig } from './container-config.ts'
import { inspectContainer, stateOf } from './container-state.ts'
import { createContainer } from './create-container.ts'
import { execCarrier } from './exec-carrier.ts'
import { DockerClient } from './docker-client.ts'
import { statusOf } from './docker-error.ts'
import { label, type DockerEngineOptions } from './docker-options.ts'
import { healthOf, healthWithout, readFacts, whereIs, type EngineFacts } from './engine-info.ts'
import { watchExit } from './exit-watch.ts'
import { FileHashes } from './images/image-files.ts'
import { ImageStore } from './images/image-store.ts'
import { namedImagesOf } from './images/named-images.ts'
import { pushImage } from './images/push-image.ts'
import { listImages, removeImage } from './images/listed-images.ts'
import { lastWordsOf } from './last-words.ts'
import { EngineLimits } from './limits/engine-limits.ts'
import { limitProbe } from './limits/limit-probe.ts'
import { LinkWays } from './link-ways.ts'
import { OutsidePaths } from './outside-path.ts'
import { removeContainer, stopContainer } from './removal.ts'
import { RuntimeImages } from './images/runtime-image.ts'
import { askHealth } from './services/ask-health.ts'
import { serviceConfig } from './services/service-config.ts'
import { ServiceImages } from './services/service-images.ts'
import { serviceOutput } from './services/service-output.ts'
import { startContainer } from './start-container.ts'
import { weakerThanAsked } from './weaker.ts'

type Config = Parameters<typeof weakerThanAsked>[0]

/** A daemon repeats the same few warnings with each `create`; more different ones would be a fault of its own. */
const MOST_WARNINGS = 20

/** The containers of Docker. Connects with the first call, not before. */
export class DockerContainers implements Containers {
  #client: DockerClient
  #options: DockerEngineOptions
  #images: ImageStore
  #runtime: RuntimeImages
  #services: ServiceImages
  #limits: EngineLimits
  #outside: OutsidePaths
  #ways: LinkWays
  #facts: EngineFacts | null = null
  #warnings = new Set<string>()
  /** Containers that have never been started. */
  #new = new Set<string>()
  /** Containers that we stopped ourselves: the signal in their exit code is ours, not a dying daemon's. */
  #stopped = new Set<string>()

  constructor(options: DockerEngineOptions) {
    const hashes = new FileHashes()
    this.#options = options
    this.#client = new DockerClient(options)
    this.#outside = new OutsidePaths(this.#client, options.ownContainer ?? null)
    this.#ways = new LinkWays(this.#client)
    this.#images = new ImageStore(this.#client, options.slots)
    const named = namedImagesOf(this.#images, options)
    this.#services = new ServiceImages(this.#images, named)
    const bases = new BaseImages(this.#images, options, hashes)
    this.#runtime = new RuntimeImages(this.#images, bases, named, options, hashes)
    const { instance, clock, allowUnlimited = false, runtime = null } = options
    const probe = limitProbe(this.#client, instance, () => this.#runtime.own(), runtime)
    this.#limits = new EngineLimits({ probe, allowUnlimited, clock })
  }

  async health(): Promise<EngineHealth> {
    try {
      const facts = await this.#look()
      void this.#limits.lookIfPossible(facts)
      const { notes, runtime } = this.#limits.known(facts)
      const { isAside, slots } = this.#options
      const about = { slots: isAside ? undefined : slots, seen: runtime }
      return healthOf(facts, [...notes, ...this.#warnings], whereIs(this.#client), about)
    } catch (error) {
      return healthWithout(error, whereIs(this.#client))
    }
  }

  runtimeImage(
    base: BaseImage,
    onProgress: (line: string) => void,
    signal: AbortSignal,
    agent: AgentPackage | null = null,
  ): Promise<ImageId> {
    return this.#runtime.ensure(base, agent, onProgress, signal)
  }

  agentImage(agent: AgentPackage): Promise<AgentLayer | null> {
    return this.#runtime.agents.find(agent)
  }

  images(): Promise<EngineImage[]> {
    return listImages(this.#client)
  }

  removeImage(name: string): Promise<void> {
    return removeImage(this.#client, name)
  }

  findImage(tag: string): Promise<ImageId | null> {
    return this.#images.find(tag)
  }

  push(image: ImageId, registry: string, onProgress: (line: string) => void, signal: AbortSignal): Promise<Pushed> {
    const { clock, env = {} } = this.#options
    const config = configFolder(surroundingsOf(env))
    return pushImage({ docker: this.#client, config, clock }, image, registry, onProgress, signal)
  }

  async commit(container: string, tag: string): Promise<ImageId> {
    const { isPodman } = await this.#known()
    return commitContainer(this.#client, await this.#own(container), tag, isPodman)
  }

  async create(spec: ContainerSpec): Promise<Created> {
    const facts = await this.#known()
    try {
      return await this.#create(spec)
    } catch (error) {
      if (spec.linkFolder === null || !this.#ways.isUnseen(error, facts)) throw error
      this.#facts = this.#ways.corrected(facts)
      return this.#create({ ...spec, linkFolder: null })
    }
  }

  async #create(spec: ContainerSpec): Promise<Created> {
    const facts = await this.#usable()
    const limits = await this.#limits.before(facts, spec)
    const granted = clampTo({ ...facts, slots: this.#options.slots }, spec)
    const linkFolder = spec.linkFolder === null ? null : await this.#outside.of(spec.linkFolder)
    const config = containerConfig({ ...spec, linkFolder }, granted, {
      ...this.#options,
      logDriver: facts.logDriver,
      addsIpv6: limits.lacksIpv6,
    })
    const id = await this.#confined(config, facts, limits.unshown)
    if (linkFolder !== null) this.#ways.mounted(id)
    return { id, clamped: [...granted.clamped, ...limits.notes] }
  }

  async createService(spec: ServiceSpec, beside: string): Promise<Created> {
    const facts = await this.#usable()
    const limits = await this.#limits.before(facts, spec)
    const granted = clampTo({ ...facts, slots: this.#options.slots }, spec)
    const { Id } = await this.#own(beside)
    const config = serviceConfig(spec, Id, granted, { ...this.#options, logDriver: facts.logDriver })
    return { id: await this.#confined(config, facts, limits.unshown), clamped: granted.clamped }
  }

  /** Creates a container that is as confined as requested, or none. */
  async #confined(config: Config, facts: EngineFacts, unshown: readonly LimitName[]): Promise<string> {
    const client = this.#client
    this.#noteEngine()
    const { id, warnings } = await createContainer(client, config)
    this.#remember(warnings)
    try {
      const weaker = weakerThanAsked(config, await effectiveConfig(client, id, facts.isPodman), unshown)
      if (weaker.length > 0)
        throw new EngineError(
          'weaker-than-asked',
          `the container ${config.name} would be less confined than asked, so it was not started. ${weaker.join('; ')}`,
        )
    } catch (error) {
      await removeContainer(client, id).catch(() => {}) // the first error matters more
      throw error
    }
    this.#new.add(id)
    return id
  }

  serviceImage(name: string, onProgress: (line: string) => void, signal: AbortSignal) {
    return this.#services.ensure(name, onProgress, signal)
  }

  output(container: string): FrameSource {
    return serviceOutput(this.#client, container)
  }

  async succeeds(container: string, command: HealthCheck): Promise<boolean> {
    return askHealth(this.#client, container, command)
  }

  async linkBy(container: string | null = null): Promise<LinkWay> {
    return this.#options.linkBy ?? this.#ways.of(container, await this.#known())
  }

  async carrier(container: string): Promise<Carrier> {
    const { Id } = await this.#own(container)
    return execCarrier(this.#client, Id)
  }

  async lastWords(container: string): Promise<string> {
    const { Id } = await this.#own(container)
    return lastWordsOf(this.#client, Id)
  }

  async start(container: string): Promise<void> {
    this.#stopped.delete(container)
    await startContainer(this.#client, container, this.#new.delete(container))
  }

  waitForExit(container: string, signal: AbortSignal): Promise<Exit> {
    return watchExit(this.#client, container, signal, {
      killedByUs: () => this.#stopped.has(container),
      isPodman: async () => (await this.#known()).isPodman,
    })
  }

  async stop(container: string, graceMs: number): Promise<void> {
    const info = await this.#ownOrGone(container)
    if (!info) return
    this.#stopped.add(container)
    await stopContainer(this.#client, container, graceMs)
  }

  async remove(container: string): Promise<void> {
    const info = await this.#ownOrGone(container)
    if (!info) return
    this.#stopped.add(container)
    await removeContainer(this.#client, info.Id)
    this.#stopped.delete(container)
    this.#new.delete(container)
    this.#ways.forget(container)
  }

  async inspect(container: string): Promise<ContainerState> {
    return stateOf(await inspectContainer(this.#client, container))
  }

  async list(): Promise<OwnedContainer[]> {
    const filters = { label: [`${label.instance}=${this.#options.instance}`] }
    const found = await this.#client.call('list containers', (abortSignal) =>
      this.#client.docker.listContainers({ all: true, filters, abortSignal }),
    )
    return found.map(({ Id, Names, Labels, State, Created }) => ({
      id: Id,
      name: (Names[0] ?? '').replace(/^\//, ''),
      execution: Labels[label.execution] ?? '',
      kind: Labels[label.kind] ?? '',
      ...(Labels[label.project] !== undefined && { project: Labels[label.project] }),
      state: State,
      createdAt: Created * 1000,
    }))
  }

  async archive(container: string, path: string): Promise<Readable | null> {
    const { Id } = await this.#own(container)
    try {
      return await this.#client.whileAlive(`read ${path} of the container`, (signal) =>
        this.#client.stream({ method: 'GET', path: `/containers/${Id}/archive`, query: { path }, signal }),
      )
    } catch (error) {
      if (error instanceof EngineError && statusOf(error) === 404) return null
      throw error
    }
  }

  async sizeOf(container: string): Promise<number | null> {
    try {
      const { Id } = await this.#own(container)
      const path = `/containers/${Id}/json`
      const info = await this.#client.call('measure the container', (signal) =>
        this.#client.request({ method: 'GET', path, query: { size: true }, signal }),
      )
      return (info as { SizeRw?: number }).SizeRw ?? null
    } catch {
      return null
    }
  }

  async #known(): Promise<EngineFacts> {
    return this.#facts ?? this.#look()
  }

  /** Throws for an engine on which nothing can run, after another look: it may have been set up meanwhile. */
  async #usable(): Promise<EngineFacts> {
    const known = await this.#known()
    const facts = known.unusable === null ? known : await this.#look()
    if (facts.unusable !== null) throw new EngineError('refused', facts.unusable)
    return facts
  }

  async #look(): Promise<EngineFacts> {
    const asked = { known: this.#facts, runtime: this.#options.runtime }
    return (this.#facts = this.#ways.corrected(await readFacts(this.#client, asked)))
  }

  async #own(container: string): Promise<ContainerInspectInfo> {
    const info = await this.#ownOrGone(container)
    if (!info) throw new EngineError('refused', `the container ${container} is gone`)
    return info
  }

  /** Containers of another server, or of a person, are never touched. */
  async #ownOrGone(container: string): Promise<ContainerInspectInfo | null> {
    const info = await inspectContainer(this.#client, container)
    if (!info || info.Config.Labels?.[label.instance] === this.#options.instance) return info
    throw new EngineError('refused', `the container ${container} does not belong to this server`)
  }

  /**
   * Notes the engine before the first container exists: if the server dies in between, the next one knows where to
   * look.
   */
  #noteEngine(): void {
    const { memory } = this.#options
    const address = this.#client.choice?.address
    if (!memory || !address) return
    const place = placeOf(address)
    if (memory.last() !== place) memory.note(place)
  }

  #remember(warnings: string[]): void {
    for (const warning of warnings)
      if (this.#warnings.size < MOST_WARNINGS) this.#warnings.add(`Docker warns: ${warning}`)
  }
}
