import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { ImageId } from '../containers.ts'
import { type AgentPackage, type BaseImage, EngineError } from '../../ports/engine.ts'
import { AgentImages } from './agent-images.ts'
import type { BaseImages } from './base-image.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import type { FileHashes, ImageFile } from './image-files.ts'
import { tarOf } from './image-files.ts'
import type { ImageStore } from './image-store.ts'
import type { NamedImages } from './named-images.ts'
import { keyOfBase, RepositoryImages } from './repository-images.ts'
import { SharedWork } from './shared-work.ts'
import { ToolchainImages } from './toolchain-images.ts'

type Progress = (line: string) => void

/** The images that containers start from: a base image + `/opt/beadloom` (Node and the agent), cached by contents. */
export class RuntimeImages {
  #images: ImageStore
  #bases: BaseImages
  #named: NamedImages
  #options: DockerEngineOptions
  #hashes: FileHashes
  #work = new SharedWork<ImageId>()
  readonly agents: AgentImages
  #toolchains: ToolchainImages
  #repository: RepositoryImages

  constructor(
    images: ImageStore,
    bases: BaseImages,
    named: NamedImages,
    options: DockerEngineOptions,
    hashes: FileHashes,
  ) {
    this.#images = images
    this.#bases = bases
    this.#named = named
    this.#options = options
    this.#hashes = hashes
    this.agents = new AgentImages(images, bases, options, hashes)
    this.#toolchains = new ToolchainImages(images, bases, options, hashes)
    this.#repository = new RepositoryImages(images, named, options)
  }

  async ensure(
    base: BaseImage,
    agent: AgentPackage | null,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<ImageId> {
    const bare = await this.#work.run(keyOfBase(base), onProgress, signal, (tell, stop) => this.#base(base, tell, stop))
    const baseId = agent ? await this.agents.over(bare, agent, onProgress, signal) : bare
    const files = this.#files()
    const tag = await this.#tag(baseId)
    const made = await this.#images.find(tag)
    if (made) return made
    return this.#work.run(tag, onProgress, signal, (tell, stop) => {
      tell(`adding the agent: ${tag}`)
      const context = () => tarOf(files)
      return this.#images.build(
        { tag, context, dockerfile: 'runtime.Dockerfile', args: { BASE: baseId }, network: 'none' },
        () => {}, // a dozen quick steps that nobody needs to see
        stop,
      )
    })
  }

  /** The one with only our files in it: over the default base, without an agent. Null: it is not built yet. */
  async own(): Promise<ImageId | null> {
    const base = await this.#bases.find()
    return base && this.#images.find(await this.#tag(base))
  }

  async #tag(base: ImageId): Promise<string> {
    return `beadloom/runtime:${await this.#hashes.key(this.#files(), base)}`
  }

  async #base(base: BaseImage, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    switch (base.from) {
      case 'default':
        return this.#bases.ensure(onProgress, signal)
      case 'image':
        return this.#named.ensure(base.name, 'its name', onProgress, signal)
      case 'toolchains':
        return this.#toolchains.ensure(base, onProgress, signal)
      case 'dockerfile':
        return this.#repository.ensure(base, null, onProgress, signal)
      case 'layer':
        return this.#repository.ensure(base, await this.#base(base.over, onProgress, signal), onProgress, signal)
      case 'kit':
        return this.#withKit(base, onProgress, signal)
    }
  }

  async #withKit(
    { over, kit, text }: Extract<BaseImage, { from: 'kit' }>,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<ImageId> {
    const args = { BASE: await this.#base(over, onProgress, signal), KIT: await this.#base(kit, onProgress, signal) }
    const files: ImageFile[] = [{ name: 'Dockerfile', mode: 0o644, text }]
    const tag = `beadloom/toolchains:${await this.#hashes.key(files, args.BASE, args.KIT)}`
    const made = await this.#images.find(tag)
    if (made) return made
    onProgress('copying toolchains into the image')
    const build = { tag, context: () => tarOf(files), dockerfile: 'Dockerfile', args, network: 'none' } as const
    return this.#images.build(build, () => {}, signal)
  }

  #files(): ImageFile[] {
    const { dockerFolder, nodeBinary, agentFolder, supervisorFolder, caBundle } = this.#options
    const script = (name: string): ImageFile => ({ name, mode: 0o644, path: join(dockerFolder, name) })
    return [
      script('runtime.Dockerfile'),
      script('runtime.sh'),
      script('add-ca.sh'),
      { name: 'ca.pem', mode: 0o644, text: caBundle ?? '' },
      { name: 'node', mode: 0o711, path: nodeBinary },
      ...filesIn(supervisorFolder, 'supervisor'),
      ...filesIn(agentFolder, 'agent'),
    ]
  }
}

/** All files of a folder, below `name` in the context. Throws `EngineError('image-build-failed')`. */
function filesIn(folder: string, name: string): ImageFile[] {
  try {
    const names = readdirSync(folder).toSorted()
    return names.map((file) => ({ name: `${name}/${file}`, mode: 0o644, path: join(folder, file) }))
  } catch (error) {
    const text = `a file that images are built from cannot be read: ${messageOf(error)}`
    throw new EngineError('image-build-failed', text, { cause: error })
  }
}
