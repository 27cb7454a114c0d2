import { EngineError } from '../../ports/engine.ts'
import type { DockerClient } from '../docker-client.ts'
import { label } from '../docker-options.ts'
import { removeContainer } from '../removal.ts'
import { firstFileIn } from '../sandboxes/first-file.ts'

/** A report has some kilobytes. */
const MOST_BYTES = 1024 ** 2

/**
 * Waits until a container has ended, and reads a file that it has left; null: it has left none. The end may take as
 * long as any request to an engine, and usually takes a fraction of that.
 */
export async function writtenBy(
  client: DockerClient,
  id: string,
  { path, looksAt }: { path: string; looksAt: string },
): Promise<Buffer | null> {
  const at = `/containers/${id}`
  const wait = client.call(`wait for the container that looks at ${looksAt}`, (signal) =>
    client.request({ method: 'POST', path: `${at}/wait`, signal }),
  )
  await wait.catch((error: unknown) => {
    // A silent container does not mean a silent engine.
    throw isTimedOut(error) ? new EngineError('failed', `a container that looks at ${looksAt} does not end`) : error
  })
  return client.call(`read what a container says of ${looksAt}`, async (signal) =>
    firstFileIn(
      await client.stream({ method: 'GET', path: `${at}/archive`, query: { path }, signal }),
      path,
      MOST_BYTES,
    ),
  )
}

/** Removes containers that a killed owner has left, of this or an earlier image. `more`: filters in Docker's words. */
export async function removeLeft(client: DockerClient, owner: string, more: { status?: ['exited'] }): Promise<void> {
  const filters = { label: [`${label.probe}=${owner}`], ...more }
  const left = await client.call('list the containers that looked at themselves', (abortSignal) =>
    client.docker.listContainers({ all: true, filters, abortSignal }),
  )
  for (const { Id } of left) await removeContainer(client, Id)
}

const isTimedOut = (error: unknown): boolean => error instanceof EngineError && error.kind === 'timed-out'
