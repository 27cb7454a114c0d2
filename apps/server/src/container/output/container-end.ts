import type { ContainerInspectInfo } from 'dockerode'
import { EngineError } from '../../ports/engine.ts'
import { inspectContainer, stateOf } from '../container-state.ts'
import type { DockerClient } from '../docker-client.ts'

/** Docker closes the output of a container that ends before it says that it has ended. */
const END_MS = 2_000
const LOOK_MS = 100
/** An end of the output that is older than the container's end by more than this was a broken connection. */
const END_SLACK_MS = 500

/** Whether the container has ended for sure; false as long as nobody knows. */
export async function isOver(client: DockerClient, container: string): Promise<boolean> {
  try {
    return ['exited', 'gone'].includes(stateOf(await inspectContainer(client, container)).state)
  } catch {
    return false // unknown; the watch for the exit will find out
  }
}

/** Whether an output that ended at `endedAt` ended because the container did; if not, the connection broke. */
export async function endedWith(client: DockerClient, container: string, endedAt: number): Promise<boolean> {
  const until = client.clock.monotonic() + END_MS
  try {
    while (client.clock.monotonic() < until) {
      const state = stateOf(await inspectContainer(client, container))
      if (state.state === 'gone') return true
      if (state.state === 'exited') return state.exit.finishedAt <= endedAt + END_SLACK_MS
      await client.clock.sleep(LOOK_MS)
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
  return false
}

/**
 * The container once Docker answers and it has been started; null when it is gone, or Docker has been away for too
 * long.
 */
export async function whenBack(
  client: DockerClient,
  container: string,
  started: () => boolean,
  closed: AbortSignal,
): Promise<ContainerInspectInfo | null> {
  const { clock, bounds } = client
  let awaySince: number | null = null
  while (!closed.aborted) {
    try {
      const info = await inspectContainer(client, container)
      if (!info || stateOf(info).state === 'gone') return null
      if (started() && stateOf(info).state !== 'created') return info
      awaySince = null
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      awaySince ??= clock.monotonic()
      if (clock.monotonic() - awaySince >= bounds.lostMs) return null
    }
    await clock.sleep(Math.min(1_000, bounds.pollMs), closed)
  }
  return null
}
