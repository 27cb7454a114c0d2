import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../process/clock.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import type { ImageId } from '../containers.ts'
import { DockerClient } from '../docker-client.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import type { KubeClient } from './kube-client.ts'
import { configFolder } from '../connection/docker-context.ts'
import { surroundingsOf } from '../connection/surroundings.ts'
import { startProcess } from '../../process/start-process.ts'
import { signInAt } from '../images/registry-sign-in.ts'
import { followProgress } from '../images/progress-stream.ts'

const never = new AbortController().signal

/** Sends images from where they are made to where the cluster's nodes find them, each once for a server. */
export class ClusterImages {
  readonly #docker: DockerClient
  readonly #images: KubernetesSettings['images']
  readonly #cluster: KubeClient
  readonly #clock: Clock
  /** Where `docker login` writes. */
  readonly #config: string | null
  readonly #sent = new Map<ImageId, Promise<string>>()

  constructor(
    images: KubernetesSettings['images'],
    docker: DockerEngineOptions & { clock: Clock },
    cluster: KubeClient,
  ) {
    this.#images = images
    this.#cluster = cluster
    this.#clock = docker.clock
    this.#docker = new DockerClient(docker)
    this.#config = configFolder(surroundingsOf(docker.env ?? {}))
  }

  /** The name by which nodes find it. */
  async send(image: ImageId, onProgress: (line: string) => void = () => {}): Promise<string> {
    const sending = this.#sent.get(image) ?? this.#send(image, onProgress)
    this.#sent.set(image, sending)
    try {
      return await sending
    } catch (error) {
      this.#sent.delete(image)
      throw error
    }
  }

  async #send(image: ImageId, onProgress: (line: string) => void): Promise<string> {
    const docker = this.#docker
    const { load } = this.#images
    const tag = image
      .replace(/^sha256:/, '')
      .replaceAll(/[^\w.-]/g, '-')
      .slice(0, 40)
    const repo = `${this.#images.registry ?? 'localhost'}/beadloom-sandbox`
    const reference = `${repo}:${tag}`
    if (load !== undefined && (await this.#isOnEveryNode(reference))) return reference
    await docker.call('name the image', () => docker.docker.getImage(image).tag({ repo, tag }))
    onProgress(`Sending ${reference} to the cluster …`)
    try {
      if (load === undefined) await this.#push(reference, onProgress)
      else await this.#load(reference, load)
    } finally {
      const forget = docker.call('forget the name of the image', () => docker.docker.getImage(reference).remove())
      await forget.catch(() => {})
    }
    return reference
  }

  /** As far as nodes say: they name the fifty largest. A command that loads images asks nobody, and takes all of one. */
  async #isOnEveryNode(reference: string): Promise<boolean> {
    const nodes = await this.#cluster.call('list its nodes', ({ core }) => core.listNode()).catch(() => null)
    if (nodes === null || nodes.items.length === 0) return false
    return nodes.items.every(({ status }) => status?.images?.some(({ names }) => names?.includes(reference)) ?? false)
  }

  async #push(reference: string, onProgress: (line: string) => void): Promise<void> {
    await this.#docker.whileAlive(
      `push ${reference}`,
      async (abortSignal) => {
        const authconfig = await signInAt(this.#config, reference, this.#clock)
        const stream = await this.#docker.docker.getImage(reference).push({ abortSignal, authconfig })
        await followProgress(stream as AsyncIterable<unknown>, onProgress).catch((error: unknown) => {
          throw pushError(reference, error)
        })
      },
      never,
    )
  }

  async #load(reference: string, [program = '', ...args]: readonly string[]): Promise<void> {
    await this.#docker.whileAlive(
      `load ${reference} into the cluster`,
      async () => {
        const tar = await this.#docker.docker.getImage(reference).get()
        const child = startProcess(program, args, {})
        child.stdout.resume()
        let said = ''
        child.stderr.on('data', (chunk: Buffer) => void (said = (said + chunk.toString()).slice(-2000)))
        const ended = new Promise<number>((resolve) => {
          child
            .once('close', (code) => resolve(code ?? -1))
            .once('error', (error) => {
              said += error.message
              resolve(-1)
            })
        })
        await pipeline(tar, child.stdin).catch(() => {}) // its end says why
        const code = await ended
        if (code !== 0)
          throw new EngineError('image-build-failed', `${program} did not take the image (${code}): ${said.trim()}`)
      },
      never,
    )
  }
}

/** The registry's own words, and what to do about the usual ones. */
function pushError(reference: string, error: unknown): EngineError {
  const said = messageOf(error).split('\n', 1)[0] ?? ''
  const [host] = reference.split('/')
  const hint = /unauthorized|denied|authentication|no basic auth/i.test(said)
    ? `: run "docker login ${host}" as the user who runs the server`
    : /server gave HTTP response to HTTPS client/.test(said)
      ? `: it has no TLS; name it under insecure-registries of the Docker engine, or give it a certificate`
      : ''
  return new EngineError('image-build-failed', `${reference} could not be pushed: ${said}${hint}`, { cause: error })
}
