import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { systemClock } from '../../process/clock.ts'
import { DockerClient } from '../docker-client.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import { listImages } from './listed-images.ts'

/** The space of images on this engine, of all servers. If the engine is away, another check says so. */
export async function checkImages({ env }: Pick<DockerEngineOptions, 'env'>): Promise<Check> {
  const check = (text: string): Check => ({ name: 'images', ok: true, text })
  try {
    const images = await listImages(new DockerClient({ env, clock: systemClock }))
    if (images.length === 0) return check('none yet')
    const gib = images.reduce((sum, { ownBytes, bytes }) => sum + (ownBytes ?? bytes), 0) / 1024 ** 3
    const made = images.filter(({ key }) => key !== null).length
    return check(`${images.length} with ${gib.toFixed(1)} GiB, ${made} of them made by the setup of projects`)
  } catch {
    return check('not looked at: the engine does not answer as it should')
  }
}
