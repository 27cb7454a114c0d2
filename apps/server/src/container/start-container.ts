import { EngineError } from '../ports/engine.ts'
import { inspectContainer } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'
import { isLostReply } from './docker-error.ts'

/** A container whose starts get lost one after the other is Docker's trouble. */
const MOST_TRIES = 3

/**
 * Starts the container once: when Docker's answer gets lost, the time of its last start tells whether the request was
 * taken. A short program may have ended by then, and would run twice if it were only asked whether it runs.
 */
export async function startContainer(client: DockerClient, container: string): Promise<void> {
  const before = await startedAt(client, container)
  for (let tries = 1; ; tries++) {
    try {
      const path = `/containers/${container}/start`
      await client.call('start the container', (signal) => client.request({ method: 'POST', path, signal }))
      return
    } catch (error) {
      if (!isLostReply(error)) throw error
      if ((await startedAt(client, container)) !== before) return
      if (tries === MOST_TRIES) throw error
    }
  }
}

async function startedAt(client: DockerClient, container: string): Promise<string> {
  const info = await inspectContainer(client, container)
  if (!info) throw new EngineError('refused', `Docker could not start the container ${container}: it is gone`)
  return info.State.StartedAt
}
