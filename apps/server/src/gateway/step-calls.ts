import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { STEP_HEADER } from '@beadloom/core/agents/step-header.ts'

/** More sessions and questions than can be asked at once; the oldest are forgotten. */
const MOST_SESSIONS = 1000
const MOST_QUESTIONS = 128

/** Calls for one step of a session that were begun and brought no whole answer. */
type Count = { calls: number; last: string }

/**
 * Counts what one step of an agent costs, over the gateway's own retries and the agent's: an endpoint that cuts every
 * answer bills each of them. The built-in agent names its step in a header. Others are known by their request, which they
 * repeat as it is; so is one that gives each try a new name.
 */
export class StepCalls {
  readonly #most: number
  readonly #sessions = new Map<string, Map<string, Count>>()

  constructor(most: number) {
    this.#most = most
  }

  /** The step that this request belongs to. */
  of(session: string, headers: IncomingHttpHeaders, body: Uint8Array): Step {
    const questions = this.#sessions.get(session) ?? new Map<string, Count>()
    this.#sessions.delete(session) // last again
    this.#sessions.set(session, questions)
    const named = headers[STEP_HEADER]
    const keys = [createHash('sha256').update(body).digest('base64')]
    if (typeof named === 'string' && /^[\w.-]{1,64}$/.test(named)) keys.push(named)
    const counts = keys.map((key) => {
      const count = questions.get(key) ?? { calls: 0, last: 'the model sent no answer' }
      questions.delete(key)
      questions.set(key, count)
      return count
    })
    bound(questions, MOST_QUESTIONS)
    bound(this.#sessions, MOST_SESSIONS)
    return new Step(counts, this.#most, () => keys.forEach((key) => questions.delete(key)))
  }
}

export class Step {
  readonly most: number
  readonly #counts: readonly Count[]
  readonly #forget: () => void

  constructor(counts: readonly Count[], most: number, forget: () => void) {
    this.#counts = counts
    this.most = most
    this.#forget = forget
  }

  get calls(): number {
    return Math.max(...this.#counts.map(({ calls }) => calls))
  }

  /** What became of the last call. */
  get last(): string {
    return this.#counts.find(({ calls }) => calls === this.calls)?.last ?? ''
  }

  get isUsedUp(): boolean {
    return this.calls >= this.most
  }

  /** The endpoint is about to be called; until it is known better, the call is billed. */
  begin(): void {
    for (const count of this.#counts) count.calls++
  }

  /** The endpoint was not reached, or refused the call. */
  notBilled(): void {
    for (const count of this.#counts) count.calls--
  }

  broke(why: string): void {
    for (const count of this.#counts) count.last = why
  }

  /** It has a whole answer: whatever is asked next is a new step. */
  answered(): void {
    for (const count of this.#counts) count.calls = 0
    this.#forget()
  }
}

/** For calls that cost nothing. */
export const notCounted = new Step([], Infinity, () => {})

function bound(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
