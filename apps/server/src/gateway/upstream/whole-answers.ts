import type { Writable } from 'node:stream'
import { hasMoreValues } from '@beadloom/core/text/json-values.ts'
import type { GatewayCaller } from '../../ports/gateway.ts'
import { ByteBudget } from '../byte-budget.ts'
import type { GatewayBounds } from '../bounds.ts'
import { problem, reasonOf } from '../problem.ts'
import type { AnswerSource } from './answer-source.ts'

/** Most answers are smaller; they are read without asking. */
const SMALL_BYTES = 256 * 1024
/** The most large ones at a time, over all containers. */
const LARGE_AT_ONCE = 3

type Limits = Pick<GatewayBounds, 'wholeAnswerBytes' | 'requestValues'>
type Asked = { who: Pick<GatewayCaller, 'execution'>; response: Writable }

/**
 * Reads answers that come in one piece before they are passed on. A container can ask for many large ones, so it has
 * one at a time, until its caller has read it; meanwhile the endpoint waits with the next.
 */
export class WholeAnswers {
  readonly #bounds: Limits
  readonly #bytes: ByteBudget

  constructor(bounds: Limits) {
    this.#bounds = bounds
    const each = bounds.wholeAnswerBytes
    this.#bytes = new ByteBudget({ each, all: LARGE_AT_ONCE * each })
  }

  /** Null: the answer has too many values to read. Rejects with an error of `source`, or when `signal` aborts. */
  async read(
    { who, response }: Asked,
    source: AnswerSource,
    first: Buffer,
    signal: AbortSignal,
  ): Promise<Buffer | null> {
    const { wholeAnswerBytes, requestValues } = this.#bounds
    const chunks = [first]
    let size = first.byteLength
    let held = 0
    const shrinkTo = (bytes: number) => {
      if (held > bytes) this.#bytes.give(who.execution, held - bytes)
      held = Math.min(held, bytes)
    }
    source.atMost(wholeAnswerBytes)
    try {
      for (;;) {
        if (held === 0 && size > SMALL_BYTES) {
          if (!(await this.#bytes.take(who.execution, wholeAnswerBytes, signal)))
            throw new Error(reasonOf(signal).message)
          held = wholeAnswerBytes
        }
        const chunk = await source.next()
        if (!chunk) break
        chunks.push(chunk)
        size += chunk.byteLength
      }
    } catch (error) {
      shrinkTo(0)
      throw error
    }
    shrinkTo(size)
    onceGone(response, () => shrinkTo(0))
    const body = Buffer.concat(chunks)
    return hasMoreValues(body, requestValues) ? null : body
  }
}

function onceGone(response: Writable, act: () => void): void {
  if (response.destroyed || response.writableFinished) act()
  else response.once('close', act)
}

export const tooManyAnswerValues = (most: number) =>
  problem(502, 'answer_too_large', `the model's answer has more than ${most} values and was not read`)
