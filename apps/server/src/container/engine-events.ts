import { EngineError } from '../ports/engine.ts'
import type { Exit } from '../ports/sandbox.ts'
import type { DockerClient } from './docker-client.ts'

/** Docker writes the event of a kill right after the signal, when the container may have ended already. */
const LATE_S = 0.5
const SIGKILLED = 137

/**
 * Whether the engine was asked to kill or stop the container since its last start, by anybody. Docker keeps the last
 * 256 events and forgets them when it restarts, so false means "not that we know", or not yet. Null: it does not
 * answer.
 */
export async function isKilledOutside(
  client: DockerClient,
  container: string,
  exit: Exit,
  isPodman: () => Promise<boolean>,
): Promise<boolean | null> {
  if (exit.startedAt === 0 || exit.finishedAt === 0) return false
  const since = (exit.startedAt / 1000).toFixed(3)
  const filters = JSON.stringify({ type: ['container'], container: [container], event: ['kill', 'stop'] })
  try {
    const query = { since, filters, ...((await isPodman()) ? { stream: 'false' } : { until: untilOf(exit) }) }
    return await client.call('tell what happened to the container', async (signal) => {
      const events = await client.stream({ method: 'GET', path: '/events', query, signal })
      return /"Action":"(kill|stop)"/.test(Buffer.concat(await events.toArray()).toString())
    })
  } catch (error) {
    if (error instanceof EngineError) return null
    throw error
  }
}

/**
 * The end of the events to ask for. Docker holds its answer back until then: an ordinary end is not worth the wait.
 * Podman 4.3 stops reading its events at that time, and answers with none if it is past. Asked without it, it has to be
 * told not to wait for more.
 */
const untilOf = ({ finishedAt, code }: Exit): string =>
  (finishedAt / 1000 + (code === SIGKILLED ? LATE_S : 0)).toFixed(3)
