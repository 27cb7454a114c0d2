import { EngineError } from '../../ports/engine.ts'
import type { HealthCheck } from '../../ports/service.ts'
import type { DockerClient } from '../docker-client.ts'

const LOOK_MS = 50
/** A check that hangs is asked anew. What it has started ends with its container. */
const LONGEST_MS = 10_000

/** Runs a command in a container by the engine, as the container's own user, and says whether it ended with 0 in time. */
export async function askHealth(client: DockerClient, container: string, check: HealthCheck): Promise<boolean> {
  const { clock } = client
  const Cmd = typeof check === 'string' ? ['/bin/sh', '-c', check] : check
  try {
    const { Id } = (await client.call('ask a service whether it is ready', (signal) =>
      client.request({ method: 'POST', path: `/containers/${container}/exec`, body: { Cmd }, signal }),
    )) as { Id: string }
    await client.call('ask a service whether it is ready', (signal) =>
      client.request({ method: 'POST', path: `/exec/${Id}/start`, body: { Detach: true }, signal }),
    )
    for (const until = clock.monotonic() + LONGEST_MS; clock.monotonic() < until; await clock.sleep(LOOK_MS)) {
      const { Running, ExitCode } = (await client.call('look at a health check', (signal) =>
        client.request({ method: 'GET', path: `/exec/${Id}/json`, signal }),
      )) as { Running: boolean; ExitCode: number | null }
      if (!Running && ExitCode !== null) return ExitCode === 0
    }
    return false
  } catch (error) {
    // It has ended, or has no such program.
    if (error instanceof EngineError && ['refused', 'failed'].includes(error.kind)) return false
    throw error
  }
}

/** As the engine stores it: `["CMD", …]` or `["CMD-SHELL", "…"]`. */
export function checkOfImage(info: unknown): HealthCheck | null {
  const test = (info as { Config?: { Healthcheck?: { Test?: unknown } } }).Config?.Healthcheck?.Test
  if (!Array.isArray(test)) return null
  const [kind, ...words] = test.map(String)
  if (words.length === 0) return null
  return kind === 'CMD-SHELL' ? words.join(' ') : kind === 'CMD' ? words : null
}
