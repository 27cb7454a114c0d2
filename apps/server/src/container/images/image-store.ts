import type { ImageId } from '../containers.ts'
import { type BuildLimits, EngineError } from '../../ports/engine.ts'
import { limited } from '../../process/within.ts'
import type { DockerClient } from '../docker-client.ts'
import { isOfRegistry, statusOf } from '../docker-error.ts'
import { type DockerInfo, isPodman } from '../engine-info.ts'
import { BoundedBuild, OWN_LIMITS } from './build-limits.ts'
import { hasTag, hostOf, repositoryOf } from './image-name.ts'
import { followProgress } from './progress-stream.ts'

type Progress = (line: string) => void

/**
 * `digests`: the names that registries had for it when it was pulled or pushed. `triggers`: the first steps of a build
 * that begins with it (`ONBUILD`).
 */
export type FoundImage = { id: ImageId; tags: string[]; digests: string[]; triggers: string[] }

type Inspected = {
  Id: string
  RepoTags?: string[] | null
  RepoDigests?: string[] | null
  Config?: { OnBuild?: string[] | null } | null
}

export type Build = {
  tag: string
  context: () => Promise<NodeJS.ReadableStream> | NodeJS.ReadableStream
  dockerfile: string
  args: Record<string, string>
  /** The stage, if not the last one is wanted. */
  target?: string
  network: 'none' | 'bridge'
  /** Further lines of a step that are reported, from a script of ours. */
  also?: RegExp
  /** Absent: enough for our own files. */
  limits?: BuildLimits
}

/** How a registry has answered whether it gives an image to somebody without credentials. */
export type Given = { to: 'everybody' } | { to: 'nobody' } | { to: 'unknown'; why: string }

export type Pulling = { silenceMs: number; asNobody?: boolean }

/** No layer is sent again: a registry that is silent for so long is away. */
const ASKED_MS = 30_000
const MOST_DIGESTS = 4

/** For our own files; toolchains over a slow line take longest. */
const BUILD_MS = 60 * 60_000

/** Docker's images: find, pull, build, import. */
export class ImageStore {
  readonly client: DockerClient
  readonly #slots: number | undefined

  /** @param slots the number of sandboxes that share the memory of the engine's host; absent: one has all of it. */
  constructor(client: DockerClient, slots?: number) {
    this.client = client
    this.#slots = slots
  }

  async find(name: string): Promise<ImageId | null> {
    return (await this.look(name))?.id ?? null
  }

  /** Null: there is no image of this name. */
  async look(name: string): Promise<FoundImage | null> {
    if (!isReference(name))
      throw new EngineError(
        'image-missing',
        `${JSON.stringify(name)} is not an image name: write it as for "docker pull NAME"`,
      )
    try {
      const info = await this.client.call(`look for the image ${name}`, (signal) =>
        this.client.request({ method: 'GET', path: `/images/${name}/json`, signal }),
      )
      const { Id, RepoTags, RepoDigests, Config } = info as Inspected
      return { id: Id, tags: RepoTags ?? [], digests: RepoDigests ?? [], triggers: Config?.OnBuild ?? [] }
    } catch (error) {
      if (error instanceof EngineError && statusOf(error) === 404) return null
      throw error
    }
  }

  /** Asks the registry of an image on the engine's machine whether it gives it to somebody without credentials. */
  async isGiven(name: string, image: FoundImage, signal: AbortSignal): Promise<Given> {
    try {
      await this.client.call(`ask the registry of ${name}`, (abort) =>
        this.client.request({
          method: 'GET',
          path: `/distribution/${name}/json`,
          signal: AbortSignal.any([abort, signal]),
        }),
      )
      return { to: 'everybody' }
    } catch (error) {
      if (!(error instanceof EngineError) || signal.aborted) throw error
      // Docker takes a manifest that it has already from its own disk: there, a pull would say nothing.
      if (statusOf(error) === 404 && (await this.#isPodman())) return this.#isPulled(name, image, signal)
      return isRefusal(statusOf(error), error.message) ? { to: 'nobody' } : { to: 'unknown', why: error.message }
    }
  }

  async #isPodman(): Promise<boolean> {
    const info = await this.client.call('say what it is', (signal) =>
      this.client.request({ method: 'GET', path: '/info', signal }),
    )
    return isPodman(info as DockerInfo)
  }

  /** Podman's API cannot ask, but it can pull what is there once more: by its digest, so that no name moves. */
  async #isPulled(name: string, { id, digests }: FoundImage, signal: AbortSignal): Promise<Given> {
    let given: Given = { to: 'unknown', why: 'it has no digest' }
    // Some may be of other copies of it, which this registry does not have.
    const ofIt = digests.filter((one) => repositoryOf(one) === repositoryOf(name)).slice(0, MOST_DIGESTS)
    for (const digest of ofIt) {
      given = await this.#isPulledBy(digest, id, signal)
      if (given.to !== 'unknown') break
    }
    return given
  }

  async #isPulledBy(digest: string, id: ImageId, signal: AbortSignal): Promise<Given> {
    try {
      const pulled = await this.pull(digest, () => {}, { silenceMs: ASKED_MS, asNobody: true }, signal)
      return pulled === id ? { to: 'everybody' } : { to: 'unknown', why: `${digest} is another image` }
    } catch (error) {
      if (!isOfRegistry(error) || signal.aborted) throw error
      return isRefusal(null, error.message) ? { to: 'nobody' } : { to: 'unknown', why: error.message }
    }
  }

  /** The name of an image that begins with this repository. Throws when it has none. */
  async tagOf(image: ImageId, repository: string): Promise<string> {
    const info = await this.client.call(`look at the image ${image}`, (signal) =>
      this.client.request({ method: 'GET', path: `/images/${image}/json`, signal }),
    )
    const { RepoTags = [] } = info as { RepoTags?: string[] }
    const found = RepoTags.find((tag) => tag.startsWith(`${repository}:`))
    if (found === undefined) throw new EngineError('image-missing', `the image ${image} has no name ${repository}`)
    return found
  }

  /** Bytes on disk, all layers. Throws when there is no such image. */
  async size(name: string): Promise<number> {
    const info = await this.client.call(`look for the image ${name}`, (signal) =>
      this.client.request({ method: 'GET', path: `/images/${name}/json`, signal }),
    )
    return (info as { Size: number }).Size
  }

  /**
   * Throws `timed-out` when the registry sends nothing for `silenceMs`. `asNobody`: without the sign-ins of the engine's
   * user, which Podman would use.
   */
  async pull(
    name: string,
    onProgress: Progress,
    { silenceMs, asNobody = false }: Pulling,
    signal: AbortSignal,
  ): Promise<ImageId> {
    const { client } = this
    const quiet = new AbortController()
    const either = AbortSignal.any([signal, quiet.signal])
    const done = new AbortController()
    let heard = client.clock.monotonic()
    const watch = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const left = heard + silenceMs - client.clock.monotonic()
        if (left <= 0) return quiet.abort()
        await client.clock.sleep(left, done.signal)
      }
    }
    const watched = watch()
    try {
      await client.whileAlive(
        `pull ${name}`,
        async (abortSignal) => {
          const stream = await client.docker.pull(hasTag(name) ? name : `${name}:latest`, {
            abortSignal,
            ...(asNobody && { authconfig: nobodyAt(hostOf(name)) }),
          })
          await followProgress(
            heardOf(stream as AsyncIterable<unknown>, () => (heard = client.clock.monotonic())),
            onProgress,
          )
        },
        either,
      )
    } catch (error) {
      if (!quiet.signal.aborted || signal.aborted) throw error
      throw new EngineError(
        'timed-out',
        `the registry of ${name} has sent nothing for ${Math.round(silenceMs / 1000)} s`,
        { cause: error },
      )
    } finally {
      done.abort()
      await watched
    }
    return this.#made(name)
  }

  /** Uses the classic builder, which needs no session and no Docker command line. */
  async build(build: Build, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const { client } = this
    const bounded = new BoundedBuild(client, build.limits ?? OWN_LIMITS)
    const limits = await bounded.query(this.#slots)
    const make = (either: AbortSignal) =>
      client.whileAlive(
        `build ${build.tag}`,
        async (abortSignal) => {
          const stream = await client.docker.buildImage(await build.context(), {
            ...limits,
            t: build.tag,
            dockerfile: build.dockerfile,
            buildargs: build.args,
            ...(build.target !== undefined && { target: build.target }),
            networkmode: build.network,
            rm: true,
            forcerm: true,
            version: '1',
            abortSignal,
          })
          await followProgress(stream as AsyncIterable<unknown>, onProgress, {
            onContainer: (id) => bounded.limitProcesses(id),
            ...(build.also && { also: build.also }),
          })
        },
        either,
      )
    const late = () => new EngineError('image-build-failed', `building ${build.tag} took longer than an hour`)
    await limited({ clock: client.clock, ms: BUILD_MS, or: signal, reason: late }, make)
    return this.#made(build.tag)
  }

  async import(tar: string, tag: string, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const { client } = this
    await client.whileAlive(
      `import ${tag}`,
      async (abortSignal) => {
        // The tag is part of the name: Podman ignores it beside the name.
        const stream = await client.docker.importImage(tar, { repo: tag, abortSignal })
        await followProgress(stream as AsyncIterable<unknown>, onProgress)
      },
      signal,
    )
    return this.#made(tag)
  }

  /** Loads an image in the format of `docker save` that has this tag. */
  async load(archive: NodeJS.ReadableStream, tag: string, onProgress: Progress, signal: AbortSignal): Promise<ImageId> {
    const { client } = this
    await client.whileAlive(
      `load ${tag}`,
      async (abortSignal) => {
        const stream = await client.docker.loadImage(archive, { quiet: true, abortSignal })
        await followProgress(stream as AsyncIterable<unknown>, onProgress)
      },
      signal,
    )
    return this.#made(tag)
  }

  async #made(name: string): Promise<ImageId> {
    const id = await this.find(name)
    if (id) return id
    throw new EngineError('image-build-failed', `Docker reported success, but there is no image ${name}`)
  }
}

/** Docker answers 500 for a registry that asks for a password, and 404 for one that it hides. */
function isRefusal(status: number | null, text: string): boolean {
  if (/toomanyrequests|too many requests|rate limit/i.test(text)) return false
  if (status !== null && [401, 403, 404].includes(status)) return true
  return /no basic auth credentials|unauthori[sz]ed|unauthenticated|authentication (is )?required|\bdenied\b|forbidden/i.test(
    text,
  )
}

/**
 * A sign-in with a password and no name, in the form of several: Podman takes it instead of those in its user's files,
 * and a registry's request for a token has neither. Docker reads no files, and sees no sign-in in it.
 */
const nobodyAt = (host: string): object => ({ [host]: { username: '', password: 'none' } })

async function* heardOf(stream: AsyncIterable<unknown>, hear: () => void): AsyncGenerator<unknown, void, undefined> {
  for await (const chunk of stream) {
    hear()
    yield chunk
  }
}

/**
 * Docker's form of a name: registry, path, tag, digest. A name comes from a repository and becomes part of a request's
 * path, so it may contain nothing else.
 */
const isReference = (name: string): boolean =>
  name.length <= 300 && /^[\w][\w.-]*(:\d+)?(\/[\w][\w.-]*)*(:[\w][\w.-]*)?(@[\w+.-]+:[0-9a-f]+)?$/i.test(name)

export function splitTag(name: string): [repo: string, tag: string] {
  const at = name.lastIndexOf(':')
  return hasTag(name) ? [name.slice(0, at), name.slice(at + 1)] : [name, 'latest']
}
