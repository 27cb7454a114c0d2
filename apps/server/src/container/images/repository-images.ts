import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { durationText } from '@beadloom/core/text/duration.ts'
import type { BaseImage } from '../../ports/engine.ts'
import { EngineError } from '../../ports/engine.ts'
import { limited } from '../../process/within.ts'
import type { ImageId } from '../containers.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import type { ImageStore } from './image-store.ts'
import type { NamedImages } from './named-images.ts'
import { withFile } from './tar-with-file.ts'

type Progress = (line: string) => void
type Wanted = Extract<BaseImage, { from: 'dockerfile' | 'layer' }>

/** An image is kept for each state of its ingredients; one of this size fills a disk in a week. */
const MOST_BYTES = 30 * 1024 ** 3

/** A Dockerfile from outside the context gets a name there that no file of a repository will have. */
const ADDED = '.beadloom.Dockerfile'

/**
 * Images that a Dockerfile makes of the repository's files. It gets the proxy's variables and nothing else of the
 * server.
 */
export class RepositoryImages {
  #images: ImageStore
  #named: NamedImages
  #options: Pick<DockerEngineOptions, 'proxy'>

  constructor(images: ImageStore, named: NamedImages, options: Pick<DockerEngineOptions, 'proxy'>) {
    this.#images = images
    this.#named = named
    this.#options = options
  }

  /** @param over the image below a layer */
  async ensure(wanted: Wanted, over: ImageId | null, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const tag = tagOf(wanted, over)
    const made = await this.#images.find(tag)
    if (made) return made
    const { from, path, args = {}, target, timeoutMs, network, limits } = wanted
    const build = {
      tag,
      context: () => contextOf(wanted),
      dockerfile: nameOf(wanted),
      args: { ...args, ...this.#options.proxy, ...(over !== null && { BASE: over }) },
      ...(target && { target }),
      network,
      limits,
    }
    const { clock } = this.#images.client
    let isLate = false
    const reason = () => (isLate = true)
    try {
      const image = await limited({ clock, ms: timeoutMs, or: signal, reason }, async (either) => {
        for (const name of wanted.images) await this.#named.ensure(name, `its name in ${path}`, onProgress, either)
        onProgress(from === 'layer' ? "adding the devcontainer's features" : `building ${path}`)
        return this.#images.build(build, onProgress, either)
      })
      await this.#refuseIfTooLarge(tag, path)
      return image
    } catch (error) {
      if (signal.aborted) throw error
      if (!isLate) throw withoutNetwork(from === 'layer' ? asFeatures(error) : error, network)
      const sentence = `building ${path} did not end within ${durationText(timeoutMs)}: make it shorter, or raise "limits.setupTimeoutSeconds" in beadloom.json`
      throw new EngineError('image-build-failed', sentence, { cause: error })
    }
  }

  async #refuseIfTooLarge(tag: string, path: string): Promise<void> {
    const bytes = await this.#images.size(tag)
    if (bytes <= MOST_BYTES) return
    const { client } = this.#images
    await client.call(`remove the image ${tag}`, (signal) =>
      client.request({ method: 'DELETE', path: `/images/${tag}`, signal }),
    )
    const size = (many: number) => `${Math.ceil(many / 1024 ** 3)} GiB`
    throw new EngineError(
      'image-build-failed',
      `the image of ${path} has ${size(bytes)}, and at most ${size(MOST_BYTES)} are taken: leave out what the tests do not need`,
    )
  }
}

/** Explains an error of features: Docker's own words begin with the whole script. */
const asFeatures = (error: unknown): unknown =>
  error instanceof EngineError && error.kind === 'image-build-failed'
    ? new EngineError(error.kind, `${FEATURES_FAILED}\n${error.message}`, { cause: error })
    : error

function withoutNetwork(error: unknown, network: Wanted['network']): unknown {
  if (network !== 'none' || !(error instanceof EngineError) || error.kind !== 'image-build-failed') return error
  return new EngineError(error.kind, `${error.message}\n${NO_NETWORK}`, { cause: error })
}

const NO_NETWORK =
  'It was built without a network, because the project lists the hosts that it may reach ("network" in beadloom.json), and a build cannot be held to them: name an "image" that has what it needs, or install that in "setup".'

const FEATURES_FAILED =
  'The features of the devcontainer could not be installed: fix the install.sh that is named below, or set "devcontainer" to false in beadloom.json.'

const contextOf = async (wanted: Wanted): Promise<Readable> => {
  const { context, text } = wanted
  return text === undefined ? context() : withFile(await context(), { name: nameOf(wanted), text })
}

const nameOf = ({ path, text, isInside = false }: Wanted): string => (text === undefined || isInside ? path : ADDED)

function tagOf({ cacheKey, path, text, args, target }: Wanted, over: ImageId | null): string {
  const more = text === undefined && args === undefined && over === null ? [] : [text, args, target, over]
  const key = createHash('sha256')
    .update(JSON.stringify([cacheKey, path, ...more]))
    .digest('hex')
    .slice(0, 16)
  return `beadloom/dockerfile:${key}`
}

/** Equal for bases that lead to the same image: only one at a time is made. */
export function keyOfBase(base: BaseImage): string {
  switch (base.from) {
    case 'default':
      return 'default'
    case 'image':
      return `image ${base.name}`
    case 'toolchains':
      return JSON.stringify(base)
    case 'dockerfile':
      return tagOf(base, null)
    case 'layer':
      return `${tagOf(base, null)} over ${keyOfBase(base.over)}`
    case 'kit':
      return `${base.text} ${keyOfBase(base.kit)} over ${keyOfBase(base.over)}`
  }
}
