import type { FrameSource, OutputFrame, SandboxState } from '../../ports/sandbox.ts'
import type { DockerClient } from '../docker-client.ts'
import { inspectContainer, stateOf } from '../container-state.ts'

/** In front of each piece of a container's output: its stream, and its length. */
const HEAD_BYTES = 8
/** The output of a service is not read beyond this: its log would fill the disk. */
const MOST_BYTES = 64 * 1024 ** 2
const AGAIN_MS = 1_000
const TOO_MUCH = Buffer.from('\n[Beadloom reads no more of this service: it has printed 64 MiB.]\n')

/**
 * A container's log as the engine keeps it, followed until the container has ended. If the connection breaks, it is
 * read again from its beginning, without the part that was already passed on.
 */
export function serviceOutput(client: DockerClient, container: string): FrameSource {
  const closed = new AbortController()
  return {
    close: () => closed.abort(),
    [Symbol.asyncIterator]: () => frames(client, container, closed.signal)[Symbol.asyncIterator](),
  }
}

async function* frames(client: DockerClient, container: string, closed: AbortSignal): AsyncGenerator<OutputFrame> {
  let given = 0
  while (!closed.aborted) {
    const before = await lookAt(client, container)
    if (before === 'gone') return
    let come = 0
    let broken = false
    try {
      for await (const bytes of pieces(client, container, closed)) {
        const fresh = bytes.subarray(Math.max(0, given - come))
        come += bytes.length
        if (fresh.length === 0 || come <= given) continue
        given = come
        yield { stream: 'stderr', bytes: fresh }
        if (given < MOST_BYTES) continue
        yield { stream: 'stderr', bytes: TOO_MUCH }
        return
      }
    } catch {
      broken = true // the engine is away, or the connection
    }
    if (closed.aborted || (before === 'exited' && !broken)) return
    // If it ended while its log was read, the log is read once more: its last words may have come late.
    const now = await lookAt(client, container)
    if (now !== 'gone' && (broken || now !== 'exited')) await client.clock.sleep(AGAIN_MS, closed)
  }
}

/** Null: unknown. */
async function lookAt(client: DockerClient, container: string): Promise<SandboxState['state'] | null> {
  try {
    return stateOf(await inspectContainer(client, container)).state
  } catch {
    return null
  }
}

/** The output without the engine's heads. */
async function* pieces(client: DockerClient, container: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const path = `/containers/${container}/logs`
  const query = { stdout: true, stderr: true, follow: true }
  const stream = await client.stream({ method: 'GET', path, query, signal })
  let rest: Buffer = Buffer.alloc(0)
  let left = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (;;) {
        if (left === 0) {
          if (rest.length < HEAD_BYTES) break
          left = rest.readUInt32BE(4)
          rest = rest.subarray(HEAD_BYTES)
          continue
        }
        if (rest.length === 0) break
        const bytes = rest.subarray(0, left)
        rest = rest.subarray(bytes.length)
        left -= bytes.length
        yield bytes
      }
    }
  } finally {
    stream.destroy()
  }
}
