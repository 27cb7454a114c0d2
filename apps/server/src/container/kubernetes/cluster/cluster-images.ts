import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../../process/clock.ts'
import type { KubernetesSettings } from '../../../process/settings/kubernetes-settings.ts'
import { EngineError } from '../../../ports/engine.ts'
import type { ImageId } from '../../containers.ts'
import { DockerClient } from '../../docker-client.ts'
import type { DockerEngineOptions } from '../../docker-options.ts'
import { imageArchitecture } from './image-architecture.ts'
import type { KubeClient } from '../kube-client.ts'
import { configFolder } from '../../connection/docker-context.ts'
import { surroundingsOf } from '../../connection/surroundings.ts'
import { startProcess } from '../../../process/start-process.ts'
import { nameAt, named, pushImage, type PushDeps } from '../../images/push-image.ts'

const never = new AbortController().signal

/** Sends images from the place where they are made to the cluster's nodes, each once for a server. */
export class ClusterImages {
  readonly #push: PushDeps
  readonly #images: KubernetesSettings['images']
  readonly #cluster: KubeClient
  #architecture: string | null = null
  readonly #sent = new Map<ImageId, Promise<string>>()

  constructor(
    images: KubernetesSettings['images'],
    docker: DockerEngineOptions & { clock: Clock },
    cluster: KubeClient,
  ) {
    this.#images = images
    this.#cluster = cluster
    const config = configFolder(surroundingsOf(docker.env ?? {}))
    this.#push = { docker: new DockerClient(docker), config, clock: docker.clock }
  }

  /** The processors that images are made for. Never rejects. */
  async architecture(): Promise<string> {
    if (this.#architecture !== null) return this.#architecture
    const { name, isKnown } = await imageArchitecture(this.#push.docker)
    if (isKnown) this.#architecture = name
    return name
  }

  /** Returns the name by which nodes find it. */
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
    const { load, registry = 'localhost' } = this.#images
    const name = nameAt(registry, image)
    const { reference } = name
    if (load !== undefined && (await this.#isOnEveryNode(reference))) return reference
    onProgress(`Sending ${reference} to the cluster …`)
    if (load === undefined) await pushImage(this.#push, image, registry, onProgress, never)
    else await named(this.#push.docker, image, name, () => this.#load(reference, load))
    return reference
  }

  /** As far as nodes report: they name the fifty largest. A command that loads images always takes all of an image. */
  async #isOnEveryNode(reference: string): Promise<boolean> {
    const nodes = await this.#cluster.call('list its nodes', ({ core }) => core.listNode()).catch(() => null)
    if (nodes === null || nodes.items.length === 0) return false
    return nodes.items.every(({ status }) => status?.images?.some(({ names }) => names?.includes(reference)) ?? false)
  }

  async #load(reference: string, [program = '', ...args]: readonly string[]): Promise<void> {
    await this.#push.docker.whileAlive(
      `load ${reference} into the cluster`,
      async () => {
        const tar = await this.#push.docker.docker.getImage(reference).get()
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
