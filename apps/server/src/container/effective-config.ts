import type { ContainerInspectInfo } from 'dockerode'
import { EngineError } from '../ports/engine.ts'
import { inspectContainer } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'
import { inDockersWords, inspectByPodman } from './podman-inspect.ts'

/** The engine's description of a container that was just created, in Docker's words. */
export async function effectiveConfig(
  client: DockerClient,
  container: string,
  isPodman: boolean,
): Promise<ContainerInspectInfo> {
  const info = await inspectContainer(client, container)
  if (!info) throw new EngineError('refused', `the container ${container} disappeared right after it was created`)
  return isPodman ? inDockersWords(info, await inspectByPodman(client, container)) : info
}
