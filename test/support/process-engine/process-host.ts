import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ImageId } from '@beadloom/server/src/container/containers.ts'
import { keyOf } from '@beadloom/server/src/container/sandboxes/environment-tag.ts'
import { EngineError, type EngineImage } from '@beadloom/server/src/ports/engine.ts'
import { findNodeBinary } from '@beadloom/server/src/container/node-binary.ts'
import { ProcessContainer, type Making } from './process-container.ts'
import type { ProcessService } from './process-service.ts'
import { PrivateRoot } from './private-root.ts'

const BUNDLES = join(import.meta.dirname, '..', '..', '..', 'packages', 'agent', 'dist')
/** The machine's programs, an empty workspace and the agent. */
export const RUNTIME: ImageId = 'processes:runtime'

/**
 * The counterpart of dockerd: it has the containers and images of the process engine, and stays while servers come and
 * go. A test that starts a second server on the same data gives it the same host.
 */
export class ProcessHost {
  readonly size = { cpus: availableParallelism(), memoryBytes: totalmem() }
  readonly containers = new Map<string, ProcessContainer>()
  /** Service programs, by id. */
  readonly services = new Map<string, ProcessService>()
  /** Names of existing service images; their content does not matter, as programs are this machine's. */
  readonly serviceImages = new Set<string>()
  /** Removed containers. */
  readonly removed: ProcessContainer[] = []
  /** Reasons of containers that were given up, by id. */
  readonly whyGone = new Map<string, string>()
  /** Errors for the next of these calls, like a daemon's. */
  readonly failsNext: Record<'create' | 'start', EngineError[]> = { create: [], start: [] }
  readonly #folder: string
  readonly #root: PrivateRoot
  readonly #images = new Map<ImageId, string>()
  readonly #tags = new Map<string, ImageId>()
  readonly #prepared = new Set<string>()
  readonly #cutOff: ProcessContainer[] = []

  private constructor(folder: string, root: PrivateRoot) {
    this.#folder = folder
    this.#root = root
    this.#images.set(RUNTIME, this.#emptyImage())
  }

  /** `agent`: the folder of the program that every container runs, in place of the agent's bundle. */
  static async open({ agent = join(BUNDLES, 'agent') }: { agent?: string } = {}): Promise<ProcessHost> {
    const folder = mkdtempSync(join(tmpdir(), 'bl-host-'))
    chmodSync(folder, 0o711) // the containers' user has to pass through
    const root = new PrivateRoot(join(folder, 'root'), {
      node: await findNodeBinary(process),
      agent,
      supervisor: join(BUNDLES, 'supervisor'),
    })
    return new ProcessHost(folder, root)
  }

  failIfTold(call: 'create' | 'start'): void {
    const error = this.failsNext[call].shift()
    if (error) throw error
  }

  /** The container with this id or name; null if it is gone. */
  find(container: string): ProcessContainer | null {
    const named = () => [...this.containers.values()].find(({ made }) => made.spec.name === container)
    return this.containers.get(container) ?? named() ?? null
  }

  async create(making: Pick<Making, 'instance' | 'spec' | 'command' | 'env'>): Promise<ProcessContainer> {
    const { name, image } = making.spec
    const files = this.#images.get(image)
    if (files === undefined) throw new EngineError('image-missing', `there is no image ${image}`)
    const there = this.find(name)
    if (there) {
      const isOurs = there.made.instance === making.instance && there.state().state === 'created'
      if (!isOurs) throw new EngineError('name-taken', `there is a container ${name} already`)
      if (JSON.stringify(there.made.spec) === JSON.stringify(making.spec)) return there
      await this.remove(there)
    }
    const id = randomBytes(16).toString('hex')
    const folder = join(this.#folder, 'containers', id)
    mkdirSync(folder, { recursive: true })
    const container = new ProcessContainer({ ...making, id, folder, root: this.#root, createdAt: Date.now() })
    this.containers.set(id, container) // at once, so that the name is taken
    await copy(files, container.files)
    return container
  }

  async commit(container: ProcessContainer, tag: string): Promise<ImageId> {
    const id = `processes:${randomBytes(16).toString('hex')}`
    const files = join(this.#folder, 'images', id)
    await copy(container.files, files)
    this.#images.set(id, files)
    this.#tags.set(tag, id)
    return id
  }

  /** Needs no image for a project without a `setup`: it would hold nothing that the first session cannot get. */
  prepare(project: string): void {
    this.#prepared.add(`beadloom/project-${project}`)
  }

  /** Forgets its images, as if somebody had removed them by hand. */
  forgetImages(project: string): void {
    for (const tag of this.#tags.keys()) if (tag.startsWith(`beadloom/project-${project}:`)) this.#tags.delete(tag)
  }

  findImage(tag: string): ImageId | null {
    if (this.#prepared.has(tag.split(':')[0] ?? '')) return RUNTIME
    return this.#tags.get(tag) ?? (this.#images.has(tag) ? tag : null)
  }

  service(known: string): ProcessService | null {
    return this.services.get(known) ?? [...this.services.values()].find(({ made }) => made.spec.name === known) ?? null
  }

  listImages(): EngineImage[] {
    const used = new Set([...this.containers.values()].map(({ made }) => made.spec.image))
    return [...this.#tags].map(([name, id]) => {
      const bytes = { bytes: 2_000_000, ownBytes: 1_000_000 }
      return { name, key: keyOf(name), ...bytes, createdAt: 0, isUsed: used.has(id), isBelow: false }
    })
  }

  removeImage(name: string): void {
    const one = this.listImages().find((image) => image.name === name)
    if (one?.isUsed) throw new EngineError('refused', `the image ${name} is used by a container`)
    this.#tags.delete(name)
  }

  /** Removes any container, as the host's owner may. */
  async remove(container: ProcessContainer): Promise<void> {
    this.containers.delete(container.made.id)
    this.removed.push(container)
    await container.remove()
  }

  /** Takes a container away with a reason, as a cluster does. */
  async giveUp(container: string, why: string): Promise<void> {
    const found = this.find(container)
    if (!found) throw new Error(`there is no container ${container}`)
    this.whyGone.set(found.made.id, why)
    await this.remove(found)
  }

  /** Loses a container that runs on, as on a node that is cut off. */
  cutOff(container: string, why: string): ProcessContainer {
    const found = this.find(container)
    if (!found) throw new Error(`there is no container ${container}`)
    this.whyGone.set(found.made.id, why)
    this.containers.delete(found.made.id)
    this.#cutOff.push(found)
    found.lose(why)
    return found
  }

  /** Writes a file into a container, as `docker exec` would. */
  write(container: string, path: string, text: string): void {
    const found = this.find(container)
    if (!found) throw new Error(`there is no container ${container}`)
    found.write(path, text)
  }

  /** Ends everything that still runs, and leaves nothing behind. */
  async close(): Promise<void> {
    for (const service of this.services.values()) await service.remove()
    for (const container of [...this.containers.values(), ...this.#cutOff]) await this.remove(container)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #emptyImage(): string {
    const files = join(this.#folder, 'images', RUNTIME)
    for (const [name, mode] of Object.entries({ workspace: 0o755, home: 0o700 })) {
      mkdirSync(join(files, name), { recursive: true, mode })
      if (process.getuid?.() === 0) chownSync(join(files, name), 1000, 1000)
    }
    return files
  }
}

async function copy(from: string, to: string): Promise<void> {
  mkdirSync(join(to, '..'), { recursive: true })
  await promisify(execFile)('cp', ['--archive', '--reflink=auto', from, to])
}
