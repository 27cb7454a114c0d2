import type { Readable } from 'node:stream'
import { EngineError } from '../../ports/engine.ts'
import type { OutputFrame } from '../../ports/sandbox.ts'
import { Demultiplexer, MalformedOutput } from './demultiplexer.ts'
import type { DockerClient } from '../docker-client.ts'

/**
 * The frames of one connection, and whether it ended or broke. A connection whose other side has vanished never ends by
 * itself, so a silent one is dropped once its container is `over`.
 */
export async function* readFrames(
  client: Pick<DockerClient, 'clock' | 'bounds'>,
  stream: Readable,
  over: () => Promise<boolean>,
  form: { stamped?: boolean } = {},
): AsyncGenerator<OutputFrame, 'ended' | 'broken', undefined> {
  const demultiplexer = new Demultiplexer(form)
  const done = new AbortController()
  const reading = { since: null as number | null }
  stream.on('error', () => {})
  void giveUpWhenOver(client, stream, reading, over, done.signal)
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  try {
    for (;;) {
      reading.since = client.clock.monotonic()
      const next = await chunks.next()
      reading.since = null
      if (next.done) return demultiplexer.complete ? 'ended' : 'broken'
      yield* demultiplexer.push(next.value)
    }
  } catch (error) {
    if (error instanceof MalformedOutput) throw new EngineError('refused', error.message, { cause: error })
    return 'broken'
  } finally {
    done.abort()
    stream.destroy()
  }
}

/** Only waiting for Docker counts as silence; a slow reader does not. */
async function giveUpWhenOver(
  { clock, bounds }: Pick<DockerClient, 'clock' | 'bounds'>,
  stream: Readable,
  reading: { since: number | null },
  over: () => Promise<boolean>,
  done: AbortSignal,
): Promise<void> {
  let wasOver = false
  while (!done.aborted) {
    await clock.sleep(bounds.pollMs, done)
    const silent = reading.since !== null && clock.monotonic() - reading.since >= bounds.pollMs
    const isOver = silent && !done.aborted && (await over())
    if (isOver && wasOver) return void stream.destroy()
    wasOver = isOver
  }
}
