import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import type {
  ContainerSpec,
  ContainerState,
  Containers,
  Created,
  ImageId,
  OwnedContainer,
} from '@beadloom/server/src/container/containers.ts'
import {
  type AgentPackage,
  type BaseImage,
  EngineError,
  type EngineHealth,
  type EngineImage,
} from '@beadloom/server/src/ports/engine.ts'
import type { Exit, FrameSource } from '@beadloom/server/src/ports/sandbox.ts'
import type { HealthCheck, ServiceSpec } from '@beadloom/server/src/ports/service.ts'
import { clampTo, containerConfig } from '@beadloom/server/src/container/container-config.ts'
import type { InstanceId } from '@beadloom/core/records/ids.ts'
import type { ProcessContainer } from './process-container.ts'
import { ProcessService } from './process-service.ts'
import { RUNTIME, type ProcessHost } from './process-host.ts'

/** This machine's programs come after the Node that every container has. */
const PATH = 'PATH=/opt/beadloom/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * `Containers` without an engine, only for tests: the program of a container is a process of this machine, in
 * namespaces of its own. It keeps the contract of the port, but confines less: CPUs, memory and numbers of processes
 * are not limited, no system call is filtered, and programs are this machine's.
 */
export class ProcessEngine implements Containers {
  readonly #host: ProcessHost
  readonly #instance: InstanceId

  constructor(host: ProcessHost, instance: InstanceId) {
    this.#host = host
    this.#instance = instance
  }

  async health(): Promise<EngineHealth> {
    return { ok: true, text: 'processes of this machine, for tests', where: null, weaker: [], ...this.#host.size }
  }

  async runtimeImage(
    base: BaseImage,
    _onProgress: (line: string) => void,
    _signal: AbortSignal,
    agent: AgentPackage | null = null,
  ): Promise<ImageId> {
    // Toolchains are this machine's.
    if ((base.from === 'default' || base.from === 'toolchains') && !agent) return RUNTIME
    throw new EngineError('image-build-failed', 'the process engine has the default image alone: use Docker for this')
  }

  async agentImage(): Promise<null> {
    return null
  }

  async images(): Promise<EngineImage[]> {
    return this.#host.listImages()
  }

  async removeImage(name: string): Promise<void> {
    this.#host.removeImage(name)
  }

  async findImage(tag: string): Promise<ImageId | null> {
    return this.#host.findImage(tag)
  }

  async push(): Promise<never> {
    throw new EngineError('refused', 'what processes start from is no image: use Docker for this')
  }

  async commit(container: string, tag: string): Promise<ImageId> {
    const own = this.#own(container)
    if (own.state().state === 'running')
      throw new EngineError(
        'refused',
        `the container ${container} is still running; stop it before it becomes an image`,
      )
    return this.#host.commit(own, tag)
  }

  async create(spec: ContainerSpec): Promise<Created> {
    this.#host.failIfTold('create')
    const granted = clampTo(this.#host.size, spec)
    const { Entrypoint, Env = [] } = containerConfig(spec, granted, { instance: this.#instance, caBundle: null })
    const env = [...Env, PATH, 'HOSTNAME=beadloom']
    const { made } = await this.#host.create({
      instance: this.#instance,
      spec,
      command: [Entrypoint].flat() as string[],
      env,
    })
    return { id: made.id, clamped: granted.clamped }
  }

  async serviceImage(name: string): Promise<{ health: null }> {
    if (!this.#host.serviceImages.has(name))
      throw new EngineError('image-missing', `the image ${name} of a service is not on this machine`)
    return { health: null }
  }

  async createService(spec: ServiceSpec, beside: string): Promise<Created> {
    const sandbox = this.#own(beside)
    if (sandbox.state().state !== 'running')
      throw new EngineError('refused', `${beside} has no network: it does not run`)
    const id = randomBytes(16).toString('hex')
    const made = { id, instance: this.#instance, spec, init: () => sandbox.init, createdAt: Date.now() }
    this.#host.services.set(id, new ProcessService(made))
    return { id, clamped: [] }
  }

  output(container: string): FrameSource {
    const service = this.#host.service(container)
    return service ? service.output() : { close: () => {}, [Symbol.asyncIterator]: async function* () {} }
  }

  async succeeds(container: string, command: HealthCheck): Promise<boolean> {
    return this.#host.service(container)?.succeeds(command) ?? false
  }

  async linkBy(): Promise<'socket'> {
    return 'socket'
  }

  async carrier(container: string): Promise<never> {
    throw new EngineError('refused', `nothing can be started beside what runs in ${container}: there is no engine`)
  }

  async lastWords(container: string): Promise<string> {
    return this.#own(container).words
  }

  async start(container: string): Promise<void> {
    this.#host.failIfTold('start')
    await (this.#host.service(container) ?? this.#own(container)).start()
  }

  async waitForExit(container: string, signal: AbortSignal): Promise<Exit> {
    const own = this.#host.service(container) ?? this.#host.find(container)
    if (!own) return { code: -1, oomKilled: false, lost: true, startedAt: 0, finishedAt: 0 }
    const left = new AbortController()
    const aborted = new Promise<never>((_, reject) => {
      const refuse = () => reject(new EngineError('refused', 'stopped waiting for the container before it ended'))
      if (signal.aborted) refuse()
      else signal.addEventListener('abort', refuse, { once: true, signal: left.signal })
    })
    return Promise.race([own.ended(), aborted]).finally(() => left.abort())
  }

  async stop(container: string, graceMs: number): Promise<void> {
    await this.#ownOrGone(container)?.stop(graceMs)
  }

  async remove(container: string): Promise<void> {
    const service = this.#host.service(container)
    if (service) {
      await service.remove()
      this.#host.services.delete(service.made.id)
      return
    }
    const own = this.#ownOrGone(container)
    if (own) await this.#host.remove(own)
  }

  async inspect(container: string): Promise<ContainerState> {
    const found = this.#host.service(container) ?? this.#host.find(container)
    if (found) return found.state()
    const why = this.#host.whyGone.get(container)
    return { state: 'gone', ...(why !== undefined && { why }) }
  }

  async list(): Promise<OwnedContainer[]> {
    const services = [...this.#host.services.values()]
      .filter(({ made }) => made.instance === this.#instance)
      .map((service): OwnedContainer => {
        const { id, spec, createdAt } = service.made
        return {
          id,
          name: spec.name,
          execution: spec.owner ?? '',
          kind: 'service',
          state: service.state().state,
          createdAt,
        }
      })
    const sandboxes = [...this.#host.containers.values()]
      .filter(({ made }) => made.instance === this.#instance)
      .map((container) => {
        const { id, spec, createdAt } = container.made
        return { id, name: spec.name, ...spec.labels, state: container.state().state, createdAt }
      })
    return [...sandboxes, ...services]
  }

  async archive(container: string, path: string): Promise<Readable | null> {
    const own = this.#own(container)
    const folder = own.path(path)
    const [parent, root] = [realpathSync(dirname(folder)), realpathSync(own.made.folder)]
    const isInside = parent === root || parent.startsWith(`${root}/`)
    if (!isInside || !lstatSync(folder, { throwIfNoEntry: false })) return null
    const tar = spawn('tar', ['-C', dirname(folder), '-c', basename(folder)], { stdio: ['ignore', 'pipe', 'ignore'] })
    return tar.stdout.pipe(new PassThrough()) // otherwise Node throws away unread data when tar ends
  }

  async sizeOf(): Promise<null> {
    return null
  }

  #own(container: string): ProcessContainer {
    const own = this.#ownOrGone(container)
    if (!own) throw new EngineError('refused', `the container ${container} is gone`)
    return own
  }

  #ownOrGone(container: string): ProcessContainer | null {
    const found = this.#host.find(container)
    if (!found || found.made.instance === this.#instance) return found
    throw new EngineError('refused', `the container ${container} does not belong to this server`)
  }
}
