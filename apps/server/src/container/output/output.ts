import type { Readable } from 'node:stream'
import type { ContainerInspectInfo } from 'dockerode'
import { EngineError, type OutputFrame, type OutputSource } from '../../ports/engine.ts'
import { inspectContainer, stateOf } from '../container-state.ts'
import type { DockerClient } from '../docker-client.ts'
import { readFrames } from './read-frames.ts'
import { openRunLog } from './run-log.ts'

/** Docker closes the output of a container that ends before it says that it has ended. */
const END_MS = 2_000
const LOOK_MS = 100
/** An end of the output that is older than the container's end by more than this was a broken connection. */
const END_SLACK_MS = 500

/** `first`: an attached stream; null: everything comes from Docker's log. `started`: whether the run has begun. */
type Run = { client: DockerClient; container: string; first: Readable | null; started: () => boolean }

/** Output from the container's next start on. */
export async function attachTo(client: DockerClient, container: string, started: () => boolean): Promise<OutputSource> {
  const first = await client.call('attach to the container', async (abortSignal) => {
    const options = { stream: true, stdout: true, stderr: true, stdin: false, hijack: true, abortSignal }
    return (await client.docker.getContainer(container).attach(options)) as unknown as Readable
  })
  // Without a listener an error while nobody reads would end the server.
  first.on('error', () => {})
  return outputOf({ client, container, first, started })
}

/** Output of the container's current or last run, from its first byte on. */
export async function logOf(client: DockerClient, container: string): Promise<OutputSource> {
  await inspectContainer(client, container) // an engine that is away is the caller's to know
  return outputOf({ client, container, first: null, started: () => true })
}

/**
 * Nothing is read from Docker's socket before the consumer asks for it, so a consumer that does not keep up slows the
 * container down instead of filling memory. Where the connection breaks, Docker's own log has the rest.
 */
export function outputOf(run: Run): OutputSource {
  const closed = new AbortController()
  const given = { stdout: 0, stderr: 0 }
  return {
    close: () => {
      closed.abort()
      run.first?.destroy()
    },
    [Symbol.asyncIterator]: () => frames(run, given, closed.signal),
  }
}

async function* frames(
  run: Run,
  given: Record<OutputFrame['stream'], number>,
  closed: AbortSignal,
): AsyncGenerator<OutputFrame, void, undefined> {
  const { client, container, first } = run
  const over = () => isOver(client, container)
  if (first) {
    const stop = () => void first.destroy()
    closed.addEventListener('abort', stop, { once: true })
    const how = yield* counted(readFrames(client, first, over), given)
    closed.removeEventListener('abort', stop)
    if (closed.aborted || (how === 'ended' && (await endedWith(client, container, client.clock.now())))) return
  }
  let seam = first !== null
  for (;;) {
    const info = await whenBack(run, closed)
    if (!info) return
    const running = stateOf(info).state === 'running'
    const log = await openRunLog(client, info, running).catch(() => null)
    if (log) {
      const stop = () => void log.destroy()
      closed.addEventListener('abort', stop, { once: true })
      const how = yield* beyond(readFrames(client, log, over, { stamped: true }), given, seam)
      closed.removeEventListener('abort', stop)
      // Only a log that was opened after the end is known to be whole.
      if (how === 'ended' && !running) return
      seam ||= how === 'broken'
    }
    if (closed.aborted) return
    await client.clock.sleep(Math.min(1_000, client.bounds.pollMs), closed)
  }
}

type Frames = AsyncGenerator<OutputFrame, 'ended' | 'broken', undefined>

async function* counted(source: Frames, given: Record<OutputFrame['stream'], number>): Frames {
  for (;;) {
    const { done, value } = await source.next()
    if (done) return value
    given[value.stream] += value.bytes.length
    yield value
  }
}

/** What was not given yet of a run that is read from its first byte. The first of it after a `seam` says so. */
async function* beyond(source: Frames, given: Record<OutputFrame['stream'], number>, seam: boolean): Frames {
  const known = { ...given }
  const seams = { stdout: seam, stderr: seam }
  for (;;) {
    const { done, value } = await source.next()
    if (done) return value
    const { stream } = value
    const skipped = Math.min(known[stream], value.bytes.length)
    known[stream] -= skipped
    const bytes = value.bytes.subarray(skipped)
    if (bytes.length === 0) continue
    given[stream] += bytes.length
    yield seams[stream] ? { ...value, bytes, seam: true } : { ...value, bytes }
    seams[stream] = false
  }
}

async function isOver(client: DockerClient, container: string): Promise<boolean> {
  try {
    return ['exited', 'gone'].includes(stateOf(await inspectContainer(client, container)).state)
  } catch {
    return false // nobody knows; whoever waits for the exit finds out
  }
}

/** Whether the output ended because the container did; else the connection broke, whatever it looked like. */
async function endedWith(client: DockerClient, container: string, endedAt: number): Promise<boolean> {
  const until = client.clock.monotonic() + END_MS
  try {
    while (client.clock.monotonic() < until) {
      const state = stateOf(await inspectContainer(client, container))
      if (state.state === 'gone') return true
      if (state.state === 'exited') return state.exit.finishedAt <= endedAt + END_SLACK_MS
      await client.clock.sleep(LOOK_MS)
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
  }
  return false
}

/** The container once Docker answers and its run has begun; null when it is gone, or Docker is for too long. */
async function whenBack(
  { client, container, started }: Run,
  closed: AbortSignal,
): Promise<ContainerInspectInfo | null> {
  const { clock, bounds } = client
  let awaySince: number | null = null
  while (!closed.aborted) {
    try {
      const info = await inspectContainer(client, container)
      if (!info || stateOf(info).state === 'gone') return null
      if (started() && stateOf(info).state !== 'created') return info
      awaySince = null
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      awaySince ??= clock.monotonic()
      if (clock.monotonic() - awaySince >= bounds.lostMs) return null
    }
    await clock.sleep(Math.min(1_000, bounds.pollMs), closed)
  }
  return null
}
