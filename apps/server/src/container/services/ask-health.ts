import { EngineError } from '../../ports/engine.ts'
import type { HealthCheck } from '../../ports/service.ts'
import type { DockerClient } from '../docker-client.ts'

const LOOK_MS = 50
/** A check that hangs is repeated. Processes that it has started end with its container. */
const LONGEST_MS = 10_000

/** Runs a command in a container by the engine, as the container's own user. True if it ended with 0 in time. */
export async function askHealth(client: DockerClient, container: string, check: HealthCheck): Promise<boolean> {
  const command = typeof check === 'string' ? ['/bin/sh', '-c', check] : check
  try {
    return await succeeds(client, container, command)
  } catch (error) {
    // It has ended, or has no such program.
    if (error instanceof EngineError && ['refused', 'failed'].includes(error.kind)) return false
    throw error
  }
}

/** Runs it attached, though nobody reads its output: Podman takes five minutes to notice the end of a detached one. */
async function succeeds(client: DockerClient, container: string, command: string[]): Promise<boolean> {
  const { clock } = client
  const body = { Cmd: command, AttachStdout: true, AttachStderr: true }
  const { Id } = (await client.call('ask a service whether it is ready', (signal) =>
    client.request({ method: 'POST', path: `/containers/${container}/exec`, body, signal }),
  )) as { Id: string }
  const printed = await client.call('ask a service whether it is ready', (signal) =>
    client.stream({ method: 'POST', path: `/exec/${Id}/start`, body: { Detach: false, Tty: false }, signal }),
  )
  printed.on('error', () => {}).resume() // the look tells whether a broken connection matters
  try {
    for (const until = clock.monotonic() + LONGEST_MS; clock.monotonic() < until; await clock.sleep(LOOK_MS)) {
      const { Running, ExitCode } = (await client.call('look at a health check', (signal) =>
        client.request({ method: 'GET', path: `/exec/${Id}/json`, signal }),
      )) as { Running: boolean; ExitCode: number | null }
      if (!Running && ExitCode !== null) return ExitCode === 0
    }
    return false
  } finally {
    printed.destroy()
  }
}

/** Reads the engine's form of a check: `["CMD", …]` or `["CMD-SHELL", "…"]`. */
export function checkOfImage(info: unknown): HealthCheck | null {
  const test = (info as { Config?: { Healthcheck?: { Test?: unknown } } }).Config?.Healthcheck?.Test
  if (!Array.isArray(test)) return null
  const [kind, ...words] = test.map(String)
  if (words.length === 0) return null
  return kind === 'CMD-SHELL' ? words.join(' ') : kind === 'CMD' ? words : null
}
