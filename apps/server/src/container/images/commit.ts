import type { ContainerInspectInfo } from 'dockerode'
import { EngineError, type ImageId } from '../../ports/engine.ts'
import { stateOf } from '../container-state.ts'
import type { DockerClient } from '../docker-client.ts'
import { label } from '../docker-options.ts'
import { splitTag } from './image-store.ts'

/**
 * A stopped container's file system as an image. An image inherits the container's labels and environment, so both are
 * blanked where they belong to the container alone: a label would make every container that somebody starts from this
 * image look like ours, and a proxy may carry a password.
 */
export async function commitContainer(client: DockerClient, info: ContainerInspectInfo, tag: string): Promise<ImageId> {
  if (stateOf(info).state === 'running') {
    throw new EngineError(
      'refused',
      `the container ${info.Id} still runs; stop it before its file system becomes an image`,
    )
  }
  const [repo, version] = splitTag(tag)
  const changes = [
    `LABEL ${Object.values(label)
      .map((name) => `${name}=""`)
      .join(' ')}`,
    ...proxiesOf(info.Config.Env ?? []).map((name) => `ENV ${name}=""`),
  ]
  const query = { container: info.Id, repo, tag: version, pause: true, changes }
  const made = await client.whileAlive(`make the image ${tag}`, (signal) =>
    client.request({ method: 'POST', path: '/commit', query, signal }),
  )
  return (made as { Id: string }).Id
}

function proxiesOf(env: string[]): string[] {
  const names = env.map((line) => line.slice(0, line.indexOf('=')))
  return names.filter((name) => /^(https?|all|ftp|no)_proxy$/i.test(name))
}
