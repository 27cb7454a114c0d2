import type { Readable } from 'node:stream'
import type { Clock } from '../../process/clock.ts'
import type { GatewayBounds } from '../bounds.ts'
import { mebibytes, problem, seconds, type Problem } from '../problem.ts'
import { within } from '../../process/within.ts'

type SourceDeps = { clock: Clock; bounds: Pick<GatewayBounds, 'idleMs' | 'answerBytes'> }

/** The bytes of one answer, with bounds on its size and on the silence between two pieces. */
export class AnswerSource {
  #body: Readable
  #stop: (why: Problem) => void
  #deps: SourceDeps
  #size = 0
  #most: number
  #failed: Error | null = null
  #wake: () => void = () => {}

  /** `stop` has to break the connection of `body`, with the problem as the reason. */
  constructor(body: Readable, stop: (why: Problem) => void, deps: SourceDeps) {
    this.#body = body
    this.#stop = stop
    this.#deps = deps
    this.#most = deps.bounds.answerBytes
    const wake = () => this.#wake()
    body.on('readable', wake).on('end', wake).on('close', wake)
    body.on('error', (error) => {
      this.#failed = error
      wake()
    })
  }

  /** Limits the answer from now on; a longer one is cut off. */
  atMost(bytes: number): void {
    this.#most = bytes
  }

  /**
   * Resolves with everything that has arrived, at least one byte; with null at the end. Rejects when the connection
   * breaks or a limit is exceeded.
   */
  async next(waitMs = this.#deps.bounds.idleMs): Promise<Buffer | null> {
    const late = () => this.#stop(silent(waitMs))
    // A timer only for a real wait: an answer that arrives in a thousand pieces at once needs none.
    const chunk = this.#ready() ?? (await within(this.#deps.clock, waitMs, late, () => this.#arrived()))
    if (chunk === 'end') return null
    this.#size += chunk.byteLength
    if (this.#size > this.#most) {
      const why = tooLong(this.#most)
      this.#stop(why)
      throw new Error(why.message)
    }
    return chunk
  }

  /** Reads the rest, up to `limitBytes`; anything beyond is not read. */
  async rest(limitBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    let size = 0
    while (size < limitBytes) {
      const chunk = await this.next()
      if (!chunk) break
      chunks.push(chunk)
      size += chunk.byteLength
    }
    return Buffer.concat(chunks).subarray(0, limitBytes)
  }

  async #arrived(): Promise<Buffer | 'end'> {
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
      const ready = this.#ready()
      if (ready) return ready
    }
  }

  /** Returns without waiting; null: nothing has come yet. Bytes that arrived before an error come before it. */
  #ready(): Buffer | 'end' | null {
    const chunk = this.#body.read() as Buffer | null
    if (chunk) return chunk
    if (this.#failed) throw this.#failed
    if (this.#body.readableEnded) return 'end'
    if (this.#body.destroyed) throw new Error('the connection was closed')
    return null
  }
}

const silent = (ms: number): Problem =>
  problem(504, 'model_silent', `the model endpoint sent nothing for ${seconds(ms)}, so the call was aborted`)

const tooLong = (bytes: number): Problem =>
  problem(502, 'answer_too_large', `the model's answer is longer than ${mebibytes(bytes)} and was cut off`)
