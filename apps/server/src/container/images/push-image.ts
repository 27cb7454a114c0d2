import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError, type Pushed } from '../../ports/engine.ts'
import type { Clock } from '../../process/clock.ts'
import type { ImageId } from '../containers.ts'
import type { DockerClient } from '../docker-client.ts'
import { followProgress } from './progress-stream.ts'
import { signInAt } from './registry-sign-in.ts'

export type PushDeps = {
  docker: DockerClient
  /** The folder where `docker login` writes. */
  config: string | null
  clock: Clock
}

/** In a registry, and on nodes. */
const REPOSITORY = 'beadloom-sandbox'
const TAG_LENGTH = 40

/** The name of an image by its content: the same image has the same name everywhere. */
export function nameAt(registry: string, image: ImageId): { repo: string; tag: string; reference: string } {
  const tag = image
    .replace(/^sha256:/, '')
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, TAG_LENGTH)
  const repo = `${registry}/${REPOSITORY}`
  return { repo, tag, reference: `${repo}:${tag}` }
}

/** Gives an image a name for as long as `work` takes. */
export async function named<T>(
  docker: DockerClient,
  image: ImageId,
  { repo, tag, reference }: ReturnType<typeof nameAt>,
  work: () => Promise<T>,
): Promise<T> {
  await docker.call('name the image', () => docker.docker.getImage(image).tag({ repo, tag }))
  try {
    return await work()
  } finally {
    const forget = docker.call('forget the name of the image', () => docker.docker.getImage(reference).remove())
    await forget.catch(() => {})
  }
}

/**
 * Pushes an image with the sign-in of `docker login`. Layers that the registry has are not sent again.
 *
 * @param registry `HOST[:PORT][/PATH]`
 */
export function pushImage(
  { docker, config, clock }: PushDeps,
  image: ImageId,
  registry: string,
  onProgress: (line: string) => void,
  signal: AbortSignal,
): Promise<Pushed> {
  const name = nameAt(registry, image)
  const { reference } = name
  return named(docker, image, name, () =>
    docker.whileAlive(
      `push ${reference}`,
      async (abortSignal) => {
        const authconfig = await signInAt(config, reference, clock)
        const stream = await docker.docker.getImage(reference).push({ abortSignal, authconfig })
        const layers = new PushedLayers()
        const read = layers.read(stream as AsyncIterable<Uint8Array>, onProgress)
        await followProgress(read, onProgress).catch((error: unknown) => {
          throw pushError(reference, error)
        })
        return { reference, digest: layers.digest }
      },
      signal,
    ),
  )
}

/** Counts, from Docker's news about a push, the layers that the registry has. */
class PushedLayers {
  readonly #has = new Map<string, boolean>()
  digest: string | null = null

  /** Passes everything on. */
  async *read(stream: AsyncIterable<Uint8Array>, onProgress: (line: string) => void): AsyncIterable<Uint8Array> {
    const decoder = new TextDecoder()
    let rest = ''
    let told = ''
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#note(line)
      const text = this.#text()
      if (text !== told) onProgress(text)
      told = text
      yield chunk
    }
  }

  #note(line: string): void {
    let event: { status?: unknown; id?: unknown; aux?: { Digest?: unknown } }
    try {
      event = JSON.parse(line)
    } catch {
      return // `followProgress` reports it
    }
    const { status, id, aux } = event
    if (typeof aux?.Digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(aux.Digest)) this.digest = aux.Digest
    if (typeof status !== 'string' || typeof id !== 'string') return
    if (/^(Pushed|Layer already exists|Mounted from)/.test(status)) this.#has.set(id, true)
    else if (/^(Preparing|Waiting|Pushing)/.test(status)) this.#has.set(id, this.#has.get(id) === true)
  }

  #text(): string {
    const all = [...this.#has.values()]
    return `${all.filter(Boolean).length} of ${all.length} layers are there`
  }
}

const NOT_ALLOWED = /unauthorized|denied|authentication|authorization|no basic auth|forbidden/i
const NO_TLS = /server gave HTTP response to HTTPS client/
const AWAY = /no such host|connection refused|no route to host|i\/o timeout|timeout|dial tcp|EOF$|unreachable/i

/** The registry's own words, and what to do about the usual ones. */
function pushError(reference: string, error: unknown): EngineError {
  const said = messageOf(error).split('\n', 1)[0] ?? ''
  const [host] = reference.split('/')
  const hint = NOT_ALLOWED.test(said)
    ? `: run "docker login ${host}" as the user who runs the server, and see that it may push there`
    : NO_TLS.test(said)
      ? `: it has no TLS; name it under insecure-registries of the Docker engine, or give it a certificate`
      : AWAY.test(said)
        ? `: ${host} does not answer the Docker engine. Is that its name, and is it running?`
        : ''
  return new EngineError('image-build-failed', `${reference} could not be pushed: ${said}${hint}`, { cause: error })
}
