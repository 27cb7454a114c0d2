import { Transform, type Duplex, type TransformCallback } from 'node:stream'
import { SUPERVISOR_FOLDER } from '@beadloom/core/execution/session-order.ts'
import type { Carrier } from '../link/carried-link.ts'
import type { DockerClient } from './docker-client.ts'

/**
 * A process that does nothing but hold its standard streams: it announces itself to the supervisor, which then reads
 * and writes these streams (`packages/agent/src/supervisor/carriers.ts`). It ends at once if there is no supervisor
 * yet.
 */
export const WAIT = `: > ${SUPERVISOR_FOLDER}/carriers/$$ && exec sleep 2147483647`

/** In front of each piece of a process's output: its stream, and its length. */
const HEAD_BYTES = 8
const STDOUT = 1

/** Opens a way to the supervisor of a container through the engine alone. */
export async function execCarrier(client: DockerClient, container: string): Promise<Carrier> {
  const stream = await client.call('reach the supervisor of the container', async (abortSignal) => {
    const exec = await client.docker.getContainer(container).exec({
      Cmd: ['/bin/sh', '-c', WAIT],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: false,
      Tty: false,
      abortSignal,
    })
    return exec.start({ hijack: true, stdin: true, abortSignal })
  })
  const input = new Unframed()
  stream.on('error', (error: Error) => void input.destroy(error)).on('close', () => void input.destroy())
  input.on('close', () => void stream.destroy())
  stream.pipe(input)
  return { input, output: stream as Duplex }
}

/** A process's standard output, without the engine's heads. Nothing is copied. */
class Unframed extends Transform {
  readonly #head = Buffer.alloc(HEAD_BYTES)
  #headBytes = 0
  /** Bytes of the current piece that have not come yet, and whether they are wanted. */
  #left = 0
  #isWanted = false

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#left > 0) {
        const end = Math.min(at + this.#left, chunk.length)
        if (this.#isWanted) this.push(chunk.subarray(at, end))
        this.#left -= end - at
        at = end
        continue
      }
      const taken = chunk.copy(this.#head, this.#headBytes, at, at + HEAD_BYTES - this.#headBytes)
      this.#headBytes += taken
      at += taken
      if (this.#headBytes < HEAD_BYTES) break
      this.#headBytes = 0
      this.#isWanted = this.#head[0] === STDOUT
      this.#left = this.#head.readUInt32BE(4)
    }
    done()
  }
}
