import type { CallDeps } from './call.ts'
import { mebibytes, problem, seconds, type Problem } from './problem.ts'
import { within } from './within.ts'

/** The bytes of one answer, bounded in size and in the silence between two of them. */
export class AnswerSource {
  #reader: ReadableStreamDefaultReader<Uint8Array> | null
  #stop: (why: Problem) => void
  #deps: CallDeps
  #size = 0

  /** `stop` has to abort the fetch that `body` belongs to, with the problem as its reason. */
  constructor(body: ReadableStream<Uint8Array> | null, stop: (why: Problem) => void, deps: CallDeps) {
    this.#reader = body?.getReader() ?? null
    this.#stop = stop
    this.#deps = deps
  }

  /** Null at the end. Rejects when the connection breaks or a bound is passed. */
  async next(waitMs = this.#deps.limits.idleMs): Promise<Buffer | null> {
    const { clock, limits } = this.#deps
    const reader = this.#reader
    if (!reader) return null
    const { value } = await within(
      clock,
      waitMs,
      () => this.#stop(silent(waitMs)),
      () => reader.read(),
    )
    if (!value) return null
    this.#size += value.byteLength
    if (this.#size > limits.answerBytes) {
      const why = tooLong(limits.answerBytes)
      this.#stop(why)
      throw new Error(why.message)
    }
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
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
}

const silent = (ms: number): Problem =>
  problem(504, 'model_silent', `the model endpoint sent nothing for ${seconds(ms)} and was given up`)

const tooLong = (bytes: number): Problem =>
  problem(502, 'answer_too_large', `the model's answer is longer than ${mebibytes(bytes)} and was cut off`)
