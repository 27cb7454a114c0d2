import { EngineError } from '../../ports/engine.ts'
import type { HealthCheck } from '../../ports/service.ts'
import { isOfRegistry } from '../docker-error.ts'
import type { ImageStore } from '../images/image-store.ts'
import { SharedWork } from '../images/shared-work.ts'
import { checkOfImage } from './ask-health.ts'

type Progress = (line: string) => void

const PULL_SILENCE_MS = 60_000

/** Images of services: used as they are, and pulled where they are missing. */
export class ServiceImages {
  readonly #images: ImageStore
  readonly #work = new SharedWork<void>()

  constructor(images: ImageStore) {
    this.#images = images
  }

  async ensure(name: string, onProgress: Progress, signal: AbortSignal): Promise<{ health: HealthCheck | null }> {
    if (!(await this.#images.find(name)))
      await this.#work.run(name, onProgress, signal, (tell, stop) => this.#pull(name, tell, stop))
    const { client } = this.#images
    const path = `/images/${name}/json`
    const info = await client.call(`look at the image ${name}`, (abort) =>
      client.request({ method: 'GET', path, signal: abort }),
    )
    return { health: checkOfImage(info) }
  }

  async #pull(name: string, onProgress: Progress, signal: AbortSignal): Promise<void> {
    onProgress(`pulling ${name}`)
    try {
      await this.#images.pull(name, onProgress, PULL_SILENCE_MS, signal)
    } catch (error) {
      if (!isOfRegistry(error) || signal.aborted) throw error
      throw new EngineError(
        'image-missing',
        `the image ${name} of a service is not on this machine and cannot be pulled: check its name under "services" in beadloom.json, or run "docker pull ${name}" here yourself (a private registry needs "docker login"). ${error.message}`,
        { cause: error },
      )
    }
  }
}
