import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { runtimeWords } from '@beadloom/core/isolation/runtime-seen.ts'
import { neededLimits } from '@beadloom/core/container-limits/ineffective-limits.ts'
import { systemClock } from '../../process/clock.ts'
import type { ImageId } from '../containers.ts'
import { DockerClient } from '../docker-client.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import { readFacts } from '../engine-info.ts'
import { EngineLimits } from './engine-limits.ts'
import { limitProbe } from './limit-probe.ts'

type Which = Pick<DockerEngineOptions, 'env' | 'dockerHost' | 'named' | 'allowUnlimited' | 'runtime'>

/** Which limits act on this engine, as a short container sees it. If the engine is away, another check says so. */
export async function checkLimits({ allowUnlimited = false, runtime = null, ...which }: Which): Promise<Check> {
  const check = (ok: boolean, text: string): Check => ({ name: 'limits', ok, text })
  try {
    const client = new DockerClient({ ...which, clock: systemClock })
    const limits = new EngineLimits({
      // Several may lead to the same engine, where each looks by itself.
      probe: limitProbe(client, ['doctor', which.named].filter(Boolean).join('-'), () => anyImage(client), runtime),
      allowUnlimited,
      clock: systemClock,
    })
    const facts = await readFacts(client, { runtime })
    await limits.lookIfPossible(facts)
    const { ineffective, notes, looked, runtime: seen, broken } = limits.known(facts)
    const acts = allowUnlimited || neededLimits(ineffective).length === 0
    if (notes.length > 0) return check(acts && broken === null, notes.join('. '))
    const words = runtimeWords(facts.runtime.name, seen)
    return check(true, looked ? [LIMITED, words].filter((text) => text !== null).join('; ') : NOT_LOOKED)
  } catch {
    return check(true, 'not looked at: the engine does not answer as it should')
  }
}

/** An image with Beadloom's programs, for a look that decides nothing; null: there is none yet. */
export async function anyImage(client: DockerClient): Promise<ImageId | null> {
  const filters = JSON.stringify({ label: ['beadloom.image=runtime'] })
  const found = await client.call('list images', (signal) =>
    client.request({ method: 'GET', path: '/images/json', query: { filters }, signal }),
  )
  return (found as { Id: string }[])[0]?.Id ?? null
}

const LIMITED = 'memory, processes and CPU time of containers are limited'
const NOT_LOOKED = 'not looked at yet: that needs an image, which the first bead that starts makes'
