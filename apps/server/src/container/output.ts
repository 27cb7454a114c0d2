import type { Readable } from 'node:stream'
import { EngineError, type OutputFrame, type OutputSource } from '../ports/engine.ts'
import { Demultiplexer, MalformedOutput } from './demultiplexer.ts'
import type { DockerClient } from './docker-client.ts'

/**
 * Output from the container's next start on. Nothing is read from Docker's socket before the consumer asks for it, so
 * a consumer that does not keep up slows the container down instead of filling memory.
 */
export async function attachTo(client: DockerClient, container: string): Promise<OutputSource> {
  const stream = await client.call('attach to the container', async (abortSignal) => {
    const options = { stream: true, stdout: true, stderr: true, stdin: false, hijack: true, abortSignal }
    return (await client.docker.getContainer(container).attach(options)) as unknown as Readable
  })
  return outputOf(stream)
}

/** A stream that breaks ends the output: whether that was the container's end is for `inspect` to say. */
export function outputOf(stream: Readable): OutputSource {
  // Without a listener an error while nobody reads would end the server.
  stream.on('error', () => {})
  return {
    close: () => void stream.destroy(),
    [Symbol.asyncIterator]: () => frames(stream),
  }
}

async function* frames(stream: Readable): AsyncGenerator<OutputFrame, void, undefined> {
  const demultiplexer = new Demultiplexer()
  try {
    for await (const chunk of stream) yield* demultiplexer.push(chunk as Buffer)
  } catch (error) {
    if (error instanceof MalformedOutput) throw new EngineError('refused', error.message, { cause: error })
    if (!stream.destroyed) throw error
  } finally {
    stream.destroy()
  }
}
