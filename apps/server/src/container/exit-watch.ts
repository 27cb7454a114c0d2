import type { ContainerState } from './containers.ts'
import { EngineError } from '../ports/engine.ts'
import type { Exit } from '../ports/sandbox.ts'
import { inspectContainer, lostExit, stateOf } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'
import { isKilledOutside } from './engine-events.ts'

/**
 * 128 + SIGKILL or SIGTERM. When dockerd shuts down without live-restore, it sends its containers SIGTERM and then
 * SIGKILL; after a kill, it finds them running when it comes back and ends them in the same way.
 */
const SIGNALLED = new Set([137, 143])
/**
 * dockerd stops its containers before it stops answering. If it still answers so long after a kill, it was not dockerd.
 */
const SHUTDOWN_MS = 1_500
/** The uncertainty of the start and the end of Docker's downtime. */
const CLOCK_SLACK_MS = 20_000

/** `killedByUs` tells our own signals from dockerd's. */
export type Known = { killedByUs: () => boolean; isPodman: () => Promise<boolean> }

type Downtime = { from: number; to: number }

/**
 * Waits for a container's end after its last start; call it after `start`. `wait` only says when to look, a poll makes
 * sure that we do, and `inspect` decides.
 *
 * `lost` means that the engine, not the program, ended it: the container is gone, dockerd went down and killed it, or
 * dockerd has been away for `lostMs`.
 */
export async function watchExit(
  client: DockerClient,
  container: string,
  signal: AbortSignal,
  { killedByUs, isPodman }: Known,
): Promise<Exit> {
  const { clock, bounds } = client
  let downtime = null as Downtime | null
  let awaySince: number | null = null
  let suspected = false
  let outside = null as boolean | null
  while (true) {
    if (signal.aborted) throw new EngineError('refused', 'stopped waiting for the container before it ended')
    const state = await look(client, container)
    if (!state) {
      awaySince ??= clock.monotonic()
      downtime = away(downtime, clock.now())
      if (clock.monotonic() - awaySince >= bounds.lostMs) return lostExit
      await clock.sleep(Math.min(1_000, bounds.pollMs), signal)
      continue
    }
    awaySince = null
    if (downtime?.to === Infinity) downtime = { from: downtime.from, to: clock.now() }
    if (state.state === 'gone') return lostExit
    if (state.state !== 'exited') {
      // `wait` would return at once for a container that has not started.
      if (state.state === 'created') await clock.sleep(Math.min(1_000, bounds.pollMs), signal)
      else if ((await nextLook(client, container, signal)) === 'broken') {
        downtime = away(downtime, clock.now()) // even if it is back before we look
        await clock.sleep(Math.min(1_000, bounds.pollMs), signal)
      }
      continue
    }
    const exit: Exit = state.exit
    if (killedByUs()) return exit
    const bySignal = SIGNALLED.has(exit.code) && !exit.oomKilled
    outside ??= await isKilledOutside(client, container, exit, isPodman)
    if (outside) return { ...exit, outside: true, ...(bySignal && { killed: true }) }
    if (!bySignal) return exit
    if (outside === null) {
      outside = false // an engine that does not answer is asked only once more
      downtime = away(downtime, clock.now())
      await clock.sleep(Math.min(1_000, bounds.pollMs), signal)
      continue
    }
    if (downtime && overlaps(exit, downtime)) return { ...exit, lost: true }
    if (downtime || suspected) return { ...exit, killed: true }
    suspected = true
    await clock.sleep(SHUTDOWN_MS, signal)
    outside = null // a busy engine may note a request late
  }
}

/** The downtime that is still open, or a new one. */
const away = (known: Downtime | null, now: number): Downtime =>
  known?.to === Infinity ? known : { from: now, to: Infinity }

const overlaps = (exit: Exit, downtime: Downtime): boolean =>
  exit.finishedAt >= downtime.from - CLOCK_SLACK_MS && exit.finishedAt <= downtime.to + CLOCK_SLACK_MS

/** Null while Docker is away. */
async function look(client: DockerClient, container: string): Promise<ContainerState | null> {
  try {
    return stateOf(await inspectContainer(client, container))
  } catch (error) {
    // An error of any kind: a daemon that is shutting down also answers 5xx.
    if (error instanceof EngineError) return null
    throw error
  }
}

/**
 * Resolves when it is time to look again, and tells whether the connection broke. dockerode's own `wait` would stay
 * pending then, so the answer is read as a stream here, which ends or breaks. Never rejects.
 */
async function nextLook(client: DockerClient, container: string, signal: AbortSignal): Promise<'due' | 'broken'> {
  const done = new AbortController()
  const either = AbortSignal.any([done.signal, signal])
  const path = `/containers/${container}/wait`
  const ended = client
    .stream({ method: 'POST', path, signal: either })
    .then((answer) => answer.toArray())
    .then(
      () => 'due' as const,
      () => 'broken' as const,
    )
  const poll = client.clock.sleep(client.bounds.pollMs, either).then(() => 'due' as const)
  const reason = await Promise.race([ended, poll])
  done.abort()
  return reason
}
