import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { STEP_HEADER } from '@beadloom/core/agents/step-header.ts'

/** More sessions and questions than can be under way at once; the oldest are forgotten. */
const MOST_SESSIONS = 1000
const MOST_QUESTIONS = 128

/** Calls for one step of a session that were begun and brought no whole answer. */
type Count = { calls: number; last: string }

/**
 * Counts the calls of one step of an agent, over the gateway's own retries and the agent's: an endpoint that cuts every
 * answer bills each of them. The built-in agent names its step in a header. Other agents repeat their request
 * unchanged, so they are recognized by it; so is one that gives each try a new name.
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
    this.#sessions.delete(session) // it becomes the newest
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

  /** The end of the last call. */
  get last(): string {
    return this.#counts.find(({ calls }) => calls === this.calls)?.last ?? ''
  }

  get isUsedUp(): boolean {
    return this.calls >= this.most
  }

  /** The endpoint is about to be called: the call counts as billed until the opposite is known. */
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

  /** The step has a whole answer: the next question is a new step. */
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
