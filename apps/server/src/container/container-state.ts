import type { ContainerInspectInfo } from 'dockerode'
import type { ContainerState } from './containers.ts'
import { EngineError } from '../ports/engine.ts'
import type { Exit } from '../ports/sandbox.ts'
import type { DockerClient } from './docker-client.ts'
import { statusOf } from './docker-error.ts'

export const lostExit: Exit = { code: -1, oomKilled: false, lost: true, startedAt: 0, finishedAt: 0 }

/** @param why part of a sentence */
export const lostFor = (why: string): Pick<Exit, 'code' | 'lost' | 'why'> => ({ code: -1, lost: true, why })

/** Asks Docker about a container; null when it is gone. */
export async function inspectContainer(client: DockerClient, container: string): Promise<ContainerInspectInfo | null> {
  try {
    const path = `/containers/${container}/json`
    return (await client.call('look at the container', (signal) =>
      client.request({ method: 'GET', path, signal }),
    )) as ContainerInspectInfo
  } catch (error) {
    if (error instanceof EngineError && statusOf(error) === 404) return null
    throw error
  }
}

export function stateOf(info: ContainerInspectInfo | null): ContainerState {
  if (!info) return { state: 'gone' }
  const { Status, Running, Paused, Restarting, ExitCode, OOMKilled, StartedAt, FinishedAt } = info.State
  const startedAt = timeOf(StartedAt)
  if (Running || Paused || Restarting) return { state: 'running', startedAt }
  if (Status === 'created') return { state: 'created', startedAt }
  if (Status === 'removing') return { state: 'gone' }
  return {
    state: 'exited',
    // A `dead` container could not be removed completely, but its exit is still right.
    exit: { code: ExitCode, oomKilled: OOMKilled, lost: false, startedAt, finishedAt: timeOf(FinishedAt) },
  }
}

/** Milliseconds UTC; 0 for "never", which Docker writes as the year 1. */
function timeOf(text: string): number {
  const time = Date.parse(text)
  return Number.isNaN(time) || time < 0 ? 0 : time
}
