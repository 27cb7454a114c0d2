import { createHash } from 'node:crypto'
import { Problem } from '../ports.ts'

/** Enough for every tab and script of a day; the oldest go first. */
const MAX_KEPT = 1000

/**
 * Remembers the answer to a request with an Idempotency-Key, so that sending it again (a lost connection, a double click)
 * acts once. `scope` is method and path; another body under the same key is the client's mistake. Failures of the server
 * are not remembered: trying again may help.
 */
export class Idempotency<T> {
  readonly #kept = new Map<string, { body: string; answer: Promise<T> }>()
  readonly #isFinal: (answer: T) => boolean

  constructor(isFinal: (answer: T) => boolean) {
    this.#isFinal = isFinal
  }

  run(scope: string, key: string | undefined, body: unknown, act: () => Promise<T>): Promise<T | Problem> | Problem {
    if (key === undefined) return act()
    if (!/^[\x21-\x7e]{1,200}$/.test(key))
      return new Problem(400, 'invalid', 'Idempotency-Key must be 1 to 200 visible ASCII characters.')
    const id = `${scope} ${key}`
    const digest = createHash('sha256')
      .update(JSON.stringify(body) ?? '')
      .digest('base64')
    const before = this.#kept.get(id)
    if (before && before.body !== digest)
      return new Problem(
        422,
        'idempotency_key_reused',
        'This Idempotency-Key was already used with another body. Use a new one.',
      )
    if (before) return before.answer
    const answer = act()
    this.#kept.set(id, { body: digest, answer })
    this.#forgetOldest()
    const forget = () => void this.#kept.delete(id)
    answer.then((value) => this.#isFinal(value) || forget(), forget)
    return answer
  }

  #forgetOldest(): void {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest)
  }
}
