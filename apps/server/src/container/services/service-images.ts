import type { HealthCheck } from '../../ports/service.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { NamedImages } from '../images/named-images.ts'
import { SharedWork } from '../images/shared-work.ts'
import { checkOfImage } from './ask-health.ts'

type Progress = (line: string) => void

/** Images of services: used unchanged, and pulled if they are missing. */
export class ServiceImages {
  readonly #images: ImageStore
  readonly #named: NamedImages
  readonly #work = new SharedWork<void>()

  constructor(images: ImageStore, named: NamedImages) {
    this.#images = images
    this.#named = named
  }

  async ensure(name: string, onProgress: Progress, signal: AbortSignal): Promise<{ health: HealthCheck | null }> {
    const where = 'its name under "services" in beadloom.json'
    await this.#work.run(name, onProgress, signal, async (tell, stop) => {
      await this.#named.ensure(name, where, tell, stop)
    })
    const { client } = this.#images
    const path = `/images/${name}/json`
    const info = await client.call(`look at the image ${name}`, (abort) =>
      client.request({ method: 'GET', path, signal: abort }),
    )
    return { health: checkOfImage(info) }
  }
}
