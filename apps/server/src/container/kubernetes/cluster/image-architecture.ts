import type { DockerClient } from '../../docker-client.ts'

/** Registries have other names for some of Node's architectures. */
const ownArchitecture = process.arch === 'x64' ? 'amd64' : process.arch

/**
 * The processors that images are made for, in the words of registries (`amd64`): those of the Docker that makes them,
 * or this machine's if it does not answer. Never rejects.
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
