import { join } from 'node:path'
import type { AgentLayer, ImageId } from '../containers.ts'
import { type AgentPackage, EngineError } from '../../ports/engine.ts'
import type { BaseImages } from './base-image.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import { tarOf, type FileHashes, type ImageFile } from './image-files.ts'
import type { ImageStore } from './image-store.ts'
import { SharedWork } from './shared-work.ts'

type Progress = (line: string) => void

/**
 * Well-known agents (Codex, Claude Code, …), each version installed once on top of the default base image. Projects
 * with that base share the layer; for any other base the files are added once.
 */
export class AgentImages {
  #images: ImageStore
  #bases: BaseImages
  #options: DockerEngineOptions
  #hashes: FileHashes
  #work = new SharedWork<ImageId>()

  constructor(images: ImageStore, bases: BaseImages, options: DockerEngineOptions, hashes: FileHashes) {
    this.#images = images
    this.#bases = bases
    this.#options = options
    this.#hashes = hashes
  }

  /** The image `base` with the agent in it. */
  async over(base: ImageId, agent: AgentPackage, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const defaultBase = await this.#bases.ensure(onProgress, signal)
    const installed = await this.#installed(defaultBase, agent, onProgress, signal)
    if (base === defaultBase) return installed
    const tag = `beadloom/with-${agent.name}:${await this.#key(['add.Dockerfile'], `${installed} ${base}`)}`
    return this.#once(tag, onProgress, signal, (tell, stop) => {
      tell(`adding ${agent.package}@${agent.version} to the project's base image`)
      const args = { AGENT: installed, BASE: base, NAME: agent.name }
      return this.#build(tag, 'add.Dockerfile', ['add.Dockerfile'], args, 'none', tell, stop)
    })
  }

  async find(agent: AgentPackage): Promise<AgentLayer | null> {
    const base = await this.#images.find(await this.#bases.tag())
    const image = base && (await this.#images.find(await this.#tag(base, agent)))
    if (!base || !image) return null
    const [whole, below] = [await this.#images.size(image), await this.#images.size(base)]
    return { image, bytes: Math.max(0, whole - below) }
  }

  async #installed(base: ImageId, agent: AgentPackage, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const tag = await this.#tag(base, agent)
    return this.#once(tag, onProgress, signal, async (tell, stop) => {
      tell(`installing ${agent.package}@${agent.version}, once for all projects`)
      const args = { BASE: base, NAME: agent.name, PACKAGE: agent.package, VERSION: agent.version }
      try {
        return await this.#build(tag, 'Dockerfile', SCRIPTS, { ...args, ...this.#options.proxy }, 'bridge', tell, stop)
      } catch (error) {
        if (!(error instanceof EngineError) || stop.aborted) throw error
        throw new EngineError(error.kind, `${whyNot(agent, error.message)} ${error.message}`, { cause: error })
      }
    })
  }

  async #once(
    tag: string,
    onProgress: Progress,
    signal: AbortSignal,
    make: (onProgress: Progress, signal: AbortSignal) => Promise<ImageId>,
  ): Promise<ImageId> {
    return (await this.#images.find(tag)) ?? this.#work.run(tag, onProgress, signal, make)
  }

  #tag = async (base: ImageId, { name, package: pack, version }: AgentPackage): Promise<string> =>
    `beadloom/agent-${name}:${version}-${await this.#key(SCRIPTS, `${base} ${pack}@${version}`)}`

  #key = (scripts: readonly string[], more: string): Promise<string> => this.#hashes.key(this.#files(scripts), more)

  #files = (scripts: readonly string[]): ImageFile[] =>
    scripts.map((name) => ({ name, mode: 0o644, path: join(this.#options.dockerFolder, 'agents', name) }))

  #build(
    tag: string,
    dockerfile: string,
    scripts: readonly string[],
    args: Record<string, string>,
    network: 'none' | 'bridge',
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<ImageId> {
    const context = () => tarOf(this.#files(scripts))
    return this.#images.build({ tag, context, dockerfile, args, network }, onProgress, signal)
  }
}

const SCRIPTS = ['Dockerfile', 'install.sh']

/** Advice about an npm error; `said` is npm's own message. */
function whyNot({ package: pack, version }: AgentPackage, said: string): string {
  const it = `The agent ${pack}@${version} cannot be installed`
  if (/ETARGET|No matching version/i.test(said))
    return `${it}: there is no such version. Check "agentVersion" in beadloom.json, or leave it out.`
  if (/E404|404 Not Found/i.test(said)) return `${it}: the npm registry does not have it.`
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|network/i.test(said))
    return `${it}: the npm registry cannot be reached from a container. The next execution tries again.`
  return `${it}.`
}
