import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Link } from '../../link/link.ts'
import { EngineError } from '../../ports/engine.ts'
import type {
  EnvironmentId,
  EnvironmentKey,
  FrameSource,
  Running,
  Sandbox,
  SandboxState,
  SessionCall,
} from '../../ports/sandbox.ts'
import type { Containers } from '../containers.ts'
import { tagOf } from './environment-tag.ts'
import { firstFileIn } from './first-file.ts'
import { folderOf, openLink, type Links } from './links.ts'

/** The engine's log is kept until the container goes, whatever is acknowledged. */
const fromTheStart = { from: { stdout: 0, stderr: 0 }, acknowledge: () => {} }

/** A container with its link. */
export class ContainerSandbox implements Sandbox {
  readonly id: string
  readonly name: string
  readonly #containers: Containers
  readonly #links: Links
  #link: Link | null
  /** It was started without a session, with this output so far. */
  #warm: FrameSource | null = null

  constructor(containers: Containers, links: Links, { id, name }: Pick<Sandbox, 'id' | 'name'>, link: Link | null) {
    this.id = id
    this.name = name
    this.#containers = containers
    this.#links = links
    this.#link = link
  }

  async warm(): Promise<void> {
    await this.listen()
    this.#warm = await this.#start()
  }

  async run(session: SessionCall): Promise<Running> {
    const link = await this.#offering(session)
    try {
      const output = this.#warm ?? (await this.#start())
      this.#warm = null
      return this.#running(link, output)
    } catch (error) {
      link.withdraw()
      throw error
    }
  }

  async adopt(session: SessionCall): Promise<Running> {
    const link = await this.#offering(session)
    try {
      return this.#running(link, await this.#containers.resumeOutput(this.id))
    } catch (error) {
      link.withdraw()
      throw error
    }
  }

  async listen(): Promise<void> {
    await this.#open()
  }

  state(): Promise<SandboxState> {
    return this.#containers.inspect(this.id)
  }

  async readFile(path: string, mostBytes: number): Promise<Buffer | null> {
    const tar = await this.#containers.archive(this.id, path)
    return tar && firstFileIn(tar, path, mostBytes)
  }

  async readFolder(path: string): Promise<Readable> {
    const tar = await this.#containers.archive(this.id, path)
    if (!tar) throw new EngineError('refused', `there is no ${path} in ${this.name}`)
    return tar
  }

  keepAs(key: EnvironmentKey): Promise<EnvironmentId> {
    return this.#containers.commit(this.id, tagOf(key))
  }

  bytes(): Promise<number | null> {
    return this.#containers.sizeOf(this.id)
  }

  stop(graceMs: number): Promise<void> {
    return this.#containers.stop(this.id, graceMs)
  }

  letGo(): void {
    this.#warm?.close()
    this.#link?.letGo()
  }

  async close(): Promise<void> {
    this.#warm?.close()
    try {
      await this.#containers.remove(this.id)
    } finally {
      await this.#closeLink().catch(this.#links.report)
    }
  }

  /** Attached before it starts, so that no byte is missed. */
  async #start(): Promise<FrameSource> {
    const output = await this.#containers.attach(this.id)
    try {
      await this.#containers.start(this.id)
      return output
    } catch (error) {
      output.close()
      throw error
    }
  }

  async #open(): Promise<Link> {
    return (this.#link ??= await openLink(this.#links, this.name))
  }

  async #offering({ order, handlers, onRequest }: SessionCall): Promise<Link> {
    const link = await this.#open()
    link.offer(order, handlers, onRequest)
    return link
  }

  #running(link: Link, frames: FrameSource): Running {
    const close = () => frames.close()
    return {
      output: { ...fromTheStart, [Symbol.asyncIterator]: () => frames[Symbol.asyncIterator](), close },
      ended: (signal) => this.#containers.waitForExit(this.id, signal),
      close: () => {
        close()
        link.withdraw()
      },
    }
  }

  async #closeLink(): Promise<void> {
    if (this.#link) return this.#link.close()
    await rm(folderOf(this.#links.folder, this.name), { recursive: true, force: true })
  }
}
