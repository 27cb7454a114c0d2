import type { DockerClient } from '../../docker-client.ts'

/** As registries call what Node calls otherwise. */
const ownArchitecture = process.arch === 'x64' ? 'amd64' : process.arch

/**
 * The processors that images are made for, as registries call them (`amd64`): those of the Docker that makes them, or, where
 * it does not answer, this machine's. Never rejects.
 */
export async function imageArchitecture(docker: DockerClient): Promise<{ name: string; isKnown: boolean }> {
  const said = await docker
    .call('say its version', () => docker.docker.version())
    .then(
      ({ Arch }) => Arch,
      () => null,
    )
  return { name: said ?? ownArchitecture, isKnown: said !== null }
}
