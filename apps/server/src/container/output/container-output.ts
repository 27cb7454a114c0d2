import type { Readable } from 'node:stream'
import type { ContainerInspectInfo } from 'dockerode'
import type { OutputFrame, FrameSource } from '../../ports/sandbox.ts'
import { inspectContainer, stateOf } from '../container-state.ts'
import type { DockerClient } from '../docker-client.ts'
import { endedWith, isOver, whenBack } from './container-end.ts'
import { readFrames } from './read-frames.ts'

/**
 * Docker keeps one log of a container over all its starts, so the output of one start is found by its time. Docker
 * notes the start when the kernel has begun the program, a few milliseconds before the program can print anything; and
 * what was printed before is older by the whole time that a start takes (a tenth of a second and more).
 */
const BEFORE_START_NS = 20_000_000n

/**
 * `first`: an attached stream; null: everything comes from Docker's log. `started`: whether the container was started.
 */
type Reading = { client: DockerClient; container: string; first: Readable | null; started: () => boolean }

/** Output from the container's next start on. */
export async function attachTo(client: DockerClient, container: string, started: () => boolean): Promise<FrameSource> {
  const first = await client.call('attach to the container', async (abortSignal) => {
    const options = { stream: true, stdout: true, stderr: true, stdin: false, hijack: true, abortSignal }
    return (await client.docker.getContainer(container).attach(options)) as unknown as Readable
  })
  // Without a listener an error while nobody reads would end the server.
  first.on('error', () => {})
  return outputOf({ client, container, first, started })
}

/** Output since the container's last start, from its first byte on. */
export async function logOf(client: DockerClient, container: string): Promise<FrameSource> {
  await inspectContainer(client, container) // the caller has to hear of an engine that is away
  return outputOf({ client, container, first: null, started: () => true })
}

/**
 * Nothing is read from Docker's socket before the consumer asks for it, so a consumer that does not keep up slows the
 * container down instead of filling memory. Where the connection breaks, Docker's own log has the rest.
 */
function outputOf(reading: Reading): FrameSource {
  const closed = new AbortController()
  const given = { stdout: 0, stderr: 0 }
  return {
    close: () => {
      closed.abort()
      reading.first?.destroy()
    },
    [Symbol.asyncIterator]: () => frames(reading, given, closed.signal),
  }
}

async function* frames(
  reading: Reading,
  given: Record<OutputFrame['stream'], number>,
  closed: AbortSignal,
): AsyncGenerator<OutputFrame, void, undefined> {
  const { client, container, first, started } = reading
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
    const info = await whenBack(client, container, started, closed)
    if (!info) return
    const running = stateOf(info).state === 'running'
    const log = await openLog(client, info, running).catch(() => null)
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

/**
 * Skips what was given already of an output that is read from its first byte. The first frame after a `seam` says so.
 */
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

/** What a container has printed since its last start, as Docker's frames with times; with `follow` also what comes. */
function openLog(client: DockerClient, info: ContainerInspectInfo, follow: boolean): Promise<Readable> {
  const path = `/containers/${info.Id}/logs`
  const query = { stdout: true, stderr: true, follow, timestamps: true, since: sinceOf(info.State.StartedAt) }
  return client.call('read the log of the container', (signal) => client.stream({ method: 'GET', path, query, signal }))
}

/** As Docker wants it: seconds with nanoseconds, since 1970. */
function sinceOf(startedAt: string): string {
  const seconds = Math.floor(Date.parse(startedAt) / 1000)
  if (!(seconds > 0)) return '0' // never started
  const fraction = /\.(\d{1,9})/.exec(startedAt)?.[1] ?? ''
  const ns = BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')) - BEFORE_START_NS
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`
}
