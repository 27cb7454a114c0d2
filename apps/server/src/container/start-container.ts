import { EngineError } from '../ports/engine.ts'
import { inspectContainer } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'
import { isLostReply } from './docker-error.ts'

/** Give up after so many lost starts: Docker is broken. */
const MOST_TRIES = 3

/** Docker's time for a container that was never started. */
const NEVER = '0001-01-01T00:00:00Z'

/**
 * Starts the container once: if Docker's answer gets lost, the time of its last start tells whether the request was
 * taken. Asking only whether it runs would start a short program twice that has ended by then.
 *
 * @param isNew it has never been started, so there is no need to look up when
 */
export async function startContainer(client: DockerClient, container: string, isNew = false): Promise<void> {
  const before = isNew ? NEVER : await startedAt(client, container)
  for (let tries = 1; ; tries++) {
    try {
      const path = `/containers/${container}/start`
      await client.call('start the container', (signal) => client.request({ method: 'POST', path, signal }))
      return
    } catch (error) {
      if (!isLostReply(error)) throw error
      if (Date.parse(await startedAt(client, container)) !== Date.parse(before)) return
      if (tries === MOST_TRIES) throw error
    }
  }
}

async function startedAt(client: DockerClient, container: string): Promise<string> {
  const info = await inspectContainer(client, container)
  if (!info) throw new EngineError('refused', `Docker could not start the container ${container}: it is gone`)
  return info.State.StartedAt
}
