import { imagesOfDockerfile } from '@beadloom/core/environment/formats/dockerfile-text.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { EngineError } from '../../ports/engine.ts'
import type { ImageId } from '../containers.ts'
import { isOfRegistry } from '../docker-error.ts'
import { fullName, hostOf, matches, registryOf, repositoryOf } from './image-name.ts'
import { GivenImages } from './given-images.ts'
import type { FoundImage, Given, ImageStore } from './image-store.ts'

type Progress = (line: string) => void

/** Even a large image over a slow line shows progress all the time: a registry that is silent for so long is away. */
const PULL_SILENCE_MS = 60_000

/** It contains only Debian's packages and ours. */
const OWN_BASE = 'docker.io/beadloom/base'
const OURS = /^(?:docker\.io|localhost)\/beadloom\//

/**
 * Images that a repository names. It may name images that a registry gives to everybody: a missing one is pulled
 * without anybody's credentials. Other images on the engine's machine belong to other people, projects or a company:
 * only names that the server's settings allow are taken, and never one that Beadloom makes.
 */
export class NamedImages {
  readonly #images: ImageStore
  readonly #allowed: readonly string[]
  readonly #registryOf: typeof registryOf
  readonly #given: GivenImages

  /** @param registry tells which registry the engine would ask for a name */
  constructor(
    images: ImageStore,
    allowed: readonly string[],
    {
      given = new GivenImages(null),
      registry = registryOf,
    }: { given?: GivenImages; registry?: typeof registryOf } = {},
  ) {
    this.#images = images
    this.#given = given
    this.#allowed = allowed
    this.#registryOf = registry
  }

  /** @param where it is named, as the end of a sentence: 'its name', 'its name under "services" in beadloom.json'. */
  async ensure(name: string, where: string, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const found = await this.find(name, signal)
    if (found) return found
    const isAllowed = this.#isAllowed(name)
    const registry = isAllowed ? 'known' : this.#registryOf(name)
    if (registry !== 'known') throw refused(name, registry === 'inside' ? whyNotAsked(name) : whyNotKnown(name))
    onProgress(`pulling ${name}`)
    try {
      const asNobody = !isAllowed
      const pulled = await this.#images.pull(name, onProgress, { silenceMs: PULL_SILENCE_MS, asNobody }, signal)
      if (asNobody) await this.#given.add(name, pulled)
    } catch (error) {
      if (!isOfRegistry(error) || signal.aborted) throw error
      throw new EngineError(
        'image-missing',
        `the image ${name} is not on this machine and cannot be pulled: check ${where}, or run "docker pull ${name}" here yourself and add ${JSON.stringify(name)} to "images" in config.json (a private registry needs "docker login"). ${error.message}`,
        { cause: error },
      )
    }
    const pulled = await this.find(name, signal)
    if (pulled) return pulled
    throw new EngineError('image-missing', `the image ${name} was pulled, and is gone again`)
  }

  /** Null: not on the engine's machine. Throws `EngineError('image-missing')` if it is there, but may not be used. */
  async find(name: string, signal: AbortSignal): Promise<ImageId | null> {
    if (OURS.test(`${fullName(name)}/`) && repositoryOf(name) !== OWN_BASE) throw refused(name, MADE_HERE)
    const found = await this.#images.look(name)
    if (found === null) return null
    const { images, unclear, fetched } = imagesOfDockerfile(found.triggers.join('\n'))
    const [taken] = [...images, ...unclear, ...fetched]
    if (taken !== undefined)
      throw refused(name, `whatever is built on it takes files of ${oneLine(taken).slice(0, 200)} (ONBUILD).`)
    const isNamed = [...found.tags, ...found.digests].some((one) => isSame(one, name))
    // Named by its id, or by a part of that.
    if (!isNamed && found.tags.some((tag) => OURS.test(fullName(tag)))) throw refused(name, MADE_HERE)
    if (isNamed && repositoryOf(name) === OWN_BASE) return found.id
    if (this.#isAllowed(name)) return found.id
    const given: Given = isNamed ? await this.#isGiven(name, found, signal) : { to: 'nobody' }
    if (given.to === 'everybody') return found.id
    throw refused(name, given.to === 'nobody' ? howToAllow(name) : howToKnow(name, given.why))
  }

  #isAllowed(name: string): boolean {
    return this.#allowed.some((pattern) => matches(pattern, name))
  }

  /** An image that somebody pulled with a password looks like any other: only the registry's word counts. */
  async #isGiven(name: string, found: FoundImage, signal: AbortSignal): Promise<Given> {
    // One without a digest was made here, or loaded from a file: it may differ from the registry's image of that name.
    if (!found.digests.some((digest) => repositoryOf(digest) === repositoryOf(name))) return { to: 'nobody' }
    if (this.#registryOf(name) !== 'known') return { to: 'nobody' }
    if (await this.#given.has(name, found.id)) return { to: 'everybody' }
    const given = await this.#images.isGiven(name, found, signal)
    if (given.to === 'everybody') await this.#given.add(name, found.id)
    return given
  }
}

export const namedImagesOf = (
  store: ImageStore,
  { images = [], givenImages = null }: { images?: readonly string[]; givenImages?: string | null },
): NamedImages => new NamedImages(store, images, { given: new GivenImages(givenImages) })

/** Docker's names are short, Podman's are complete, and Podman puts `localhost` in front of images that it made. */
function isSame(one: string, name: string): boolean {
  const [whole, wanted] = [fullName(one), fullName(name)]
  return whole === wanted || whole.replace(/^localhost\//, 'docker.io/') === wanted
}

const refused = (name: string, why: string): EngineError =>
  new EngineError('image-missing', `the image ${name} is not used for a project: ${why}`)

const MADE_HERE = 'Beadloom made it here, and what is in it belongs to a project. Name an image of a registry.'
const howToAllow = (name: string): string =>
  `it is on the machine of the container engine, and no registry gives it to everybody. If every project of this server may have what is in it, add ${JSON.stringify(name)} to "images" in config.json and start the server again.`
const howToKnow = (name: string, why: string): string =>
  `it is on the machine of the container engine, and its registry did not say whether it gives it to everybody (${why}). Try again once the registry answers. If every project of this server may have what is in it, add ${JSON.stringify(name)} to "images" in config.json and start the server again.`
const whyNotAsked = (name: string): string =>
  `its registry is on the engine's machine or in its network, which no repository has the engine ask. If it may, add ${JSON.stringify(name)} to "images" in config.json and start the server again.`
const whyNotKnown = (name: string): string =>
  `its registry is none that everybody uses, and whoever runs it would be told the name, which a repository chose. If it may be asked, add ${JSON.stringify(`${hostOf(name)}/*`)} to "images" in config.json and start the server again.`
