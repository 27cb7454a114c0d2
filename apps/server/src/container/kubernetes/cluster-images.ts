import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../../process/clock.ts'
import type { KubernetesSettings } from '../../process/kubernetes-settings.ts'
import { EngineError } from '../../ports/engine.ts'
import type { ImageId } from '../containers.ts'
import { DockerClient } from '../docker-client.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import { followProgress } from '../images/progress-stream.ts'

const never = new AbortController().signal

/** Sends images from where they are made to where the cluster's nodes find them, each once for a server. */
export class ClusterImages {
  readonly #docker: DockerClient
  readonly #images: KubernetesSettings['images']
  readonly #sent = new Map<ImageId, Promise<string>>()

  constructor(images: KubernetesSettings['images'], docker: DockerEngineOptions & { clock: Clock }) {
    this.#images = images
    this.#docker = new DockerClient(docker)
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
    const tag = image
      .replace(/^sha256:/, '')
      .replaceAll(/[^\w.-]/g, '-')
      .slice(0, 40)
    const repo = `${this.#images.registry ?? 'localhost'}/beadloom-sandbox`
    const reference = `${repo}:${tag}`
    await docker.call('name the image', () => docker.docker.getImage(image).tag({ repo, tag }))
    onProgress(`Sending ${reference} to the cluster …`)
    try {
      if (this.#images.load === undefined) await this.#push(reference, onProgress)
      else await this.#load(reference, this.#images.load)
    } finally {
      const forget = docker.call('forget the name of the image', () => docker.docker.getImage(reference).remove())
      await forget.catch(() => {})
    }
    return reference
  }

  async #push(reference: string, onProgress: (line: string) => void): Promise<void> {
    await this.#docker.whileAlive(
      `push ${reference}`,
      async (abortSignal) => {
        // Who may push is known to Docker's own configuration, not to us.
        const stream = await this.#docker.docker.getImage(reference).push({ abortSignal, authconfig: {} })
        await followProgress(stream as AsyncIterable<unknown>, onProgress)
      },
      never,
    )
  }

  async #load(reference: string, [program = '', ...args]: readonly string[]): Promise<void> {
    await this.#docker.whileAlive(
      `load ${reference} into the cluster`,
      async () => {
        const tar = await this.#docker.docker.getImage(reference).get()
        const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] })
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
