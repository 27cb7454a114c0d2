import { EngineError } from '../ports/engine.ts'
import type { SharesHost } from './connection/shares-host.ts'
import type { DockerClient } from './docker-client.ts'
import { statusOf } from './docker-error.ts'

/** Docker 20.10 and Podman 4, both as old as anything that the tests run on. */
const LEAST_API = [1, 41] as const

/** `api`: the version of its API; null: it does not say. */
export type Abilities = { api: string | null; exec: boolean }

/** Asks what the engine can do. Rejects with an `EngineError` when it does not answer. */
export async function abilitiesOf(client: DockerClient): Promise<Abilities> {
  const version = (await client.call('tell its version', (signal) =>
    client.request({ method: 'GET', path: '/version', signal }),
  )) as { ApiVersion?: unknown } | null
  const api = version?.ApiVersion
  return { api: typeof api === 'string' && /^\d+\.\d+$/.test(api) ? api : null, exec: await hasExec(client) }
}

/** Asks about a program that was never run: an engine with exec says so. */
async function hasExec(client: DockerClient): Promise<boolean> {
  try {
    await client.call('look at a program', (signal) =>
      client.request({ method: 'GET', path: '/exec/beadloom-asks/json', signal }),
    )
    return true
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const status = statusOf(error)
    // A proxy in front of the engine forbids unknown requests; an engine without exec has no such page.
    if (status === 404) return /exec/i.test(error.message)
    return status === null || ![401, 403, 405, 501].includes(status)
  }
}

/** Why nothing can run there, as a sentence; null: it can. `name`: "Docker 19.03". */
export function unusableFor({ api, exec }: Abilities, name: string, host: SharesHost): string | null {
  if (api !== null && isOlder(api))
    return `${name} is too old (its API is ${api}): Beadloom needs ${LEAST_API.join('.')}, which Docker has since 20.10 and Podman since 4.0. Install a newer one`
  if (!exec && host.shares !== true)
    return `${name} has no exec, or a proxy in front of it forbids it, and ${host.why}: nothing could reach the agents. Allow /exec and /containers/…/exec`
  return null
}

function isOlder(api: string): boolean {
  const [major = 0, minor = 0] = api.split('.').map(Number)
  return major < LEAST_API[0] || (major === LEAST_API[0] && minor < LEAST_API[1])
}
