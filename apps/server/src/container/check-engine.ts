import type { Check } from '@beadloom/core/api/api.ts'
import { systemClock } from '../process/clock.ts'
import { DockerClient } from './docker-client.ts'
import { healthOf, healthWithout, readFacts } from './engine-info.ts'

/** Docker as one line of `beadloom doctor`; the text says what to do, and what is weaker than recommended. */
export async function checkEngine(dockerHost: string | null, dockerCertPath: string | null): Promise<Check> {
  try {
    const client = new DockerClient({
      dockerHost: dockerHost ?? undefined,
      dockerCertPath: dockerCertPath ?? undefined,
      clock: systemClock,
    })
    const { ok, text, weaker } = healthOf(await readFacts(client), [])
    return { name: 'docker', ok, text: [text, ...weaker].join('; ') }
  } catch (error) {
    return { name: 'docker', ok: false, text: healthWithout(error).text }
  }
}
