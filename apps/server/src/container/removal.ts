import { EngineError } from '../ports/engine.ts'
import { inspectContainer, stateOf } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'
import { isLostReply, statusOf } from './docker-error.ts'

/** After SIGKILL a process may still hang in the kernel (a dead disk). After this time a person has to look. */
const KILL_MS = 10_000
const LOOK_MS = 200

/**
 * SIGTERM, `graceMs` (rounded up to whole seconds), SIGKILL. Docker does the escalation, so it completes even if this
 * server dies meanwhile. Throws `EngineError('refused')` when the container survives: it is never reported as stopped
 * while it runs.
 */
export async function stopContainer(client: DockerClient, container: string, graceMs: number): Promise<void> {
  const info = await inspectContainer(client, container)
  if (!info || stateOf(info).state !== 'running') return
  // Frozen processes cannot answer a signal.
  if (info.State.Paused) await tolerant(() => post(client, container, 'unpause', {}))
  await tolerant(() => post(client, container, 'stop', { t: Math.ceil(graceMs / 1000) }))
  if (await hasStopped(client, container)) return
  await tolerant(() => post(client, container, 'kill', { signal: 'SIGKILL' }))
  const end = client.clock.monotonic() + KILL_MS
  while (client.clock.monotonic() < end) {
    if (await hasStopped(client, container)) return
    await client.clock.sleep(LOOK_MS)
  }
  throw new EngineError(
    'refused',
    `the container ${container} is still running after SIGKILL: a process in it hangs in the kernel; see "docker top ${container}"`,
  )
}

/** Removes by force, with anonymous volumes. A container that is gone, or being removed already, is no error. */
export async function removeContainer(client: DockerClient, container: string): Promise<void> {
  const path = `/containers/${container}`
  const query = { force: true, v: true }
  await tolerant(() =>
    client.whileAlive(`remove the container ${container}`, (signal) =>
      client.request({ method: 'DELETE', path, query, signal }),
    ),
  )
  const end = client.clock.monotonic() + KILL_MS
  while (client.clock.monotonic() < end) {
    if (!(await inspectContainer(client, container))) return
    await client.clock.sleep(LOOK_MS)
  }
  throw new EngineError('refused', `the container ${container} could not be removed; try "docker rm -f ${container}"`)
}

function post(
  client: DockerClient,
  container: string,
  verb: string,
  query: Record<string, string | number>,
): Promise<unknown> {
  const path = `/containers/${container}/${verb}`
  return client.whileAlive(`${verb} the container ${container}`, (signal) =>
    client.request({ method: 'POST', path, query, signal }),
  )
}

/** The most tries of a request whose answer gets lost. */
const MOST_TRIES = 3

/**
 * Ignores 404 (gone) and 409 (not running, or being removed by somebody else): callers inspect afterwards. Asks again
 * when the answer got lost, which does no harm: a second stop waits for the grace of the first.
 */
async function tolerant(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if (error instanceof EngineError && [404, 409].includes(statusOf(error) ?? 0)) return
      if (tries === MOST_TRIES || !isLostReply(error)) throw error
    }
  }
}

const hasStopped = async (client: DockerClient, container: string): Promise<boolean> =>
  stateOf(await inspectContainer(client, container)).state !== 'running'
