import { noSuchVersion } from '@beadloom/core/environment/toolchains/no-such-version.ts'
import { join } from 'node:path'
import { registryAway } from '@beadloom/core/environment/setup-failures/registry-trouble.ts'
import type { ImageId } from '../containers.ts'
import { type BaseImage, EngineError } from '../../ports/engine.ts'
import type { BaseImages } from './base-image.ts'
import { isOfRegistry } from '../docker-error.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import { tarOf, type FileHashes, type ImageFile } from './image-files.ts'
import type { ImageStore } from './image-store.ts'
import { SharedWork } from './shared-work.ts'

type Progress = (line: string) => void
type Wanted = Extract<BaseImage, { from: 'toolchains' }>

const SCRIPTS = ['Dockerfile', 'install.sh']
/** Lines for people among the hundreds that apt and npm print; an error has the last of the others. */
const STEP = /^installing /
/** A registry that has no official image for us is not asked again for so long. */
const AGAIN_MS = 600_000

/**
 * Beadloom's own base image with toolchains. Projects that need the same ones share the layer. If a registry has an
 * official image with all of it, that one is taken; toolchains that were once installed here stay in use.
 */
export class ToolchainImages {
  #images: ImageStore
  #bases: BaseImages
  #options: DockerEngineOptions
  #hashes: FileHashes
  #work = new SharedWork<ImageId>()
  /** By the monotonic clock. */
  #notBefore = new Map<string, number>()

  constructor(images: ImageStore, bases: BaseImages, options: DockerEngineOptions, hashes: FileHashes) {
    this.#images = images
    this.#bases = bases
    this.#options = options
    this.#hashes = hashes
  }

  async ensure(wanted: Wanted, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const { official, release, installs } = wanted
    const made = await this.#find(wanted)
    if (made) return made
    const pulled = official === null ? null : await this.#official(official, onProgress, signal)
    if (pulled !== null) return pulled
    const base = await this.#work.run(`base ${release}`, onProgress, signal, (tell, stop) =>
      this.#bases.ensure(tell, stop, release),
    )
    if (installs === '') return base
    const tag = await this.#tag(base, installs)
    return this.#work.run(tag, onProgress, signal, (tell, stop) => this.#build(base, tag, installs, tell, stop))
  }

  async #find({ release, installs }: Wanted): Promise<ImageId | null> {
    const base = installs === '' ? null : await this.#bases.find(release)
    return base && this.#images.find(await this.#tag(base, installs))
  }

  /** Null: it is not here, and no registry gives it. */
  async #official(name: string, onProgress: Progress, signal: AbortSignal): Promise<ImageId | null> {
    const local = await this.#images.find(name)
    if (local) return local
    const { clock, bounds } = this.#images.client
    if ((this.#notBefore.get(name) ?? -Infinity) > clock.monotonic()) return null
    onProgress(`pulling ${name}`)
    try {
      return await this.#images.pull(name, onProgress, { silenceMs: bounds.registrySilenceMs }, signal)
    } catch (error) {
      if (!isOfRegistry(error) || signal.aborted) throw error
      this.#notBefore.set(name, clock.monotonic() + AGAIN_MS)
      onProgress(`${name} cannot be pulled (${error.message}); its toolchain is installed instead`)
      return null
    }
  }

  async #build(
    base: ImageId,
    tag: string,
    installs: string,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<ImageId> {
    const files = this.#files(installs)
    const args = { BASE: base, ...this.#options.proxy }
    const tell: Progress = (line) => STEP.test(line) && onProgress(line)
    try {
      const made = { tag, context: () => tarOf(files), dockerfile: 'Dockerfile', args } as const
      const build = { ...made, network: 'bridge', also: STEP } as const
      return await this.#images.build(build, tell, signal)
    } catch (error) {
      if (!(error instanceof EngineError) || error.kind !== 'image-build-failed' || signal.aborted) throw error
      throw new EngineError(error.kind, `${whatToDo(error.message)}\n${error.message}`, { cause: error })
    }
  }

  #tag = async (base: ImageId, installs: string): Promise<string> =>
    `beadloom/toolchains:${await this.#hashes.key(this.#files(installs), base)}`

  #files = (installs: string): ImageFile[] => [
    ...SCRIPTS.map((name) => ({ name, mode: 0o644, path: join(this.#options.dockerFolder, 'toolchains', name) })),
    { name: 'installs.txt', mode: 0o644, text: installs },
  ]
}

function whatToDo(output: string): string {
  const none = noSuchVersion(output)
  if (none !== null)
    return `${none}, which the project's files ask for, does not exist where it is installed from. Correct the file that names it, or name another version under "toolchains" in beadloom.json.`
  const away = registryAway(output)
  const why = away === null ? '' : `: ${away}`
  return `The toolchains that the project's files ask for could not be installed${why}. Make Debian's packages and the languages' registries reachable, or name an "image" or a "dockerfile" that has them; one that is not needed is left out by "toolchains" in beadloom.json.`
}
