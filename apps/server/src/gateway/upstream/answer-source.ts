import type { Readable } from 'node:stream'
import type { CallDeps } from '../call.ts'
import { mebibytes, problem, seconds, type Problem } from '../problem.ts'
import { within } from '../within.ts'

/** The bytes of one answer, bounded in size and in the silence between two of them. */
export class AnswerSource {
  #body: Readable
  #stop: (why: Problem) => void
  #deps: CallDeps
  #size = 0
  #failed: Error | null = null
  #wake: () => void = () => {}

  /** `stop` has to break the connection that `body` belongs to, with the problem as its reason. */
  constructor(body: Readable, stop: (why: Problem) => void, deps: CallDeps) {
    this.#body = body
    this.#stop = stop
    this.#deps = deps
    const wake = () => this.#wake()
    body.on('readable', wake).on('end', wake).on('close', wake)
    body.on('error', (error) => {
      this.#failed = error
      wake()
    })
  }

  /** All that has arrived, at least a byte. Null at the end. Rejects when the connection breaks or a bound is passed. */
  async next(waitMs = this.#deps.limits.idleMs): Promise<Buffer | null> {
    const late = () => this.#stop(silent(waitMs))
    // Only who waits needs a timer: an answer in a thousand pieces at once has none.
    const chunk = this.#ready() ?? (await within(this.#deps.clock, waitMs, late, () => this.#arrived()))
    if (chunk === 'end') return null
    const { answerBytes } = this.#deps.limits
    this.#size += chunk.byteLength
    if (this.#size > answerBytes) {
      const why = tooLong(answerBytes)
      this.#stop(why)
      throw new Error(why.message)
    }
    return chunk
  }

  /** All that is left, but no more than `limitBytes`; what is behind that is not read. */
  async rest(limitBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
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

  /** What can be said without waiting; null: nothing yet. What arrived before an error comes before it. */
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
  problem(504, 'model_silent', `the model endpoint sent nothing for ${seconds(ms)} and was given up`)

const tooLong = (bytes: number): Problem =>
  problem(502, 'answer_too_large', `the model's answer is longer than ${mebibytes(bytes)} and was cut off`)
