import type { ContainerInspectInfo } from 'dockerode'
import type { ImageId } from '../containers.ts'
import { EngineError } from '../../ports/engine.ts'
import { stateOf } from '../container-state.ts'
import type { DockerClient } from '../docker-client.ts'
import { label } from '../docker-options.ts'
import { isLostReply } from '../docker-error.ts'
import { ImageStore, splitTag } from './image-store.ts'

/** Podman wants a body and ignores its contents; Docker would take them for settings, and has no such one. */
const PODMAN_BODY = { Hostname: '' }

/**
 * Makes an image of a stopped container's file system. An image inherits the container's labels and environment, so our
 * labels and the proxy variables are blanked: with a label, every container that somebody starts from this image would
 * look like ours, and a proxy's address may contain a password.
 */
export async function commitContainer(
  client: DockerClient,
  info: ContainerInspectInfo,
  tag: string,
  isPodman: boolean,
): Promise<ImageId> {
  const body = isPodman ? { body: PODMAN_BODY } : {}
  if (stateOf(info).state === 'running') {
    throw new EngineError('refused', `the container ${info.Id} is still running; stop it before making an image of it`)
  }
  const [repo, version] = splitTag(tag)
  const changes = [
    `LABEL ${Object.values(label)
      .map((name) => `${name}=""`)
      .join(' ')}`,
    ...proxiesOf(info.Config.Env ?? []).map((name) => `ENV ${name}=""`),
  ]
  const query = { container: info.Id, repo, tag: version, pause: true, changes }
  const images = new ImageStore(client)
  const before = await images.find(tag)
  try {
    const made = await client.whileAlive(`make the image ${tag}`, (signal) =>
      client.request({ method: 'POST', path: '/commit', query, ...body, signal }),
    )
    const { Id } = made as { Id: string }
    return Id.includes(':') ? Id : `sha256:${Id}` // Podman names it by the digits alone
  } catch (error) {
    // Docker sets the tag last: a new one belongs to the image whose answer got lost.
    const made = isLostReply(error) ? await images.find(tag) : null
    if (made !== null && made !== before) return made
    throw error
  }
}

function proxiesOf(env: string[]): string[] {
  const names = env.map((line) => line.slice(0, line.indexOf('=')))
  return names.filter((name) => /^(https?|all|ftp|no)_proxy$/i.test(name))
}
