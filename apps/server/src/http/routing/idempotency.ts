import { createHash } from 'node:crypto'
import { eachTime, type Once } from '../../ports/once.ts'
import type { KeptAnswer, KeyedRequest, RequestKeys } from '../../ports/store/request-keys.ts'
import type { Clock } from '../../process/clock.ts'
import { crashPoint } from '../../process/crash-point.ts'
import { Problem } from '../../ports/problem.ts'

export type IdempotencyDeps = {
  keys: RequestKeys
  clock: Pick<Clock, 'sleep'>
  /** Called if the answer was given but could not be kept. */
  report: (error: unknown) => void
}

/** The answer to a request whose twin is still in work: it may be sent again after this many seconds. */
export class InWork {
  readonly retryAfterSeconds = 5
  readonly problem = new Problem(
    409,
    'in_work',
    'The first request with this Idempotency-Key is still in work. Send it again in a few seconds to get its answer.',
  )
}

/** Adding a large repository takes minutes, and proxies give up after half a minute without an answer. */
const WAIT_MS = 20_000

/**
 * A request with an Idempotency-Key acts once, however often it is sent (a lost connection, a double click, a restart),
 * and gets the same answer each time. `scope` is method, path and person; another body under the same key is the
 * client's mistake. Failures of the server are not kept: trying again may help.
 */
export class Idempotency {
  readonly #deps: IdempotencyDeps
  readonly #inWork = new Map<string, { digest: string; answer: Promise<KeptAnswer> }>()

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps
  }

  async run(
    scope: string,
    key: string | undefined,
    body: unknown,
    act: (once: Once) => Promise<KeptAnswer>,
  ): Promise<KeptAnswer | Problem | InWork> {
    if (key === undefined) return act(eachTime)
    if (!/^[\x21-\x7e]{1,200}$/.test(key))
      return new Problem(400, 'invalid', 'Idempotency-Key must be 1 to 200 visible ASCII characters.')
    const id = `${scope} ${key}`
    const request: KeyedRequest = { scope, key, digest: digestOf(body) }
    const twin = this.#inWork.get(id)
    if (twin) return twin.digest === request.digest ? this.#withTwin(twin.answer) : reused()
    const known = this.#deps.keys.knownRequest(request)
    if (known.is === 'answered') return known.answer
    if (known.is === 'other body') return reused()
    const answer = this.#act(request, known.made, act)
    this.#inWork.set(id, { digest: request.digest, answer })
    try {
      return await answer
    } finally {
      this.#inWork.delete(id)
    }
  }

  async #act(
    request: KeyedRequest,
    before: string | null,
    act: (once: Once) => Promise<KeptAnswer>,
  ): Promise<KeptAnswer> {
    const { keys, report } = this.#deps
    const answer = await act({ before, make: (work, made) => keys.makeOnce(request, work, made) })
    crashPoint('before-answer')
    if (answer.status >= 500 || answer.status === 429) return answer
    try {
      keys.answerRequest(request, answer)
    } catch (error) {
      report(error) // the next request with this key still finds the result, which is stored with its key
    }
    return answer
  }

  /** The first request's answer, or the news that it is still in work. */
  async #withTwin(answer: Promise<KeptAnswer>): Promise<KeptAnswer | InWork> {
    const done = new AbortController()
    const late = this.#deps.clock.sleep(WAIT_MS, done.signal).then(() => new InWork())
    try {
      return await Promise.race([answer, late])
    } finally {
      done.abort()
    }
  }
}

const digestOf = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest('base64')

const reused = (): Problem =>
  new Problem(422, 'idempotency_key_reused', 'This Idempotency-Key was already used with another body. Use a new one.')
