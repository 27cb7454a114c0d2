import { EngineError } from '../ports/engine.ts'
import { inspectContainer } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'
import { isLostReply } from './docker-error.ts'

/** A container whose starts get lost one after the other is Docker's trouble. */
const MOST_TRIES = 3

/** As Docker writes it of a container that has just been created. */
const NEVER = '0001-01-01T00:00:00Z'

/**
 * Starts the container once: when Docker's answer gets lost, the time of its last start tells whether the request was
 * taken. A short program may have ended by then, and would run twice if it were only asked whether it runs.
 *
 * @param isNew it has never been started: nobody has to be asked when it was
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
