import type { WebhookEvent } from '@beadloom/core/api/webhook-api.ts'

/** What is told about an event. Titles and texts are strangers' words, as they are stored. */
export type WebhookNotice = {
  event: WebhookEvent
  at: number
  project: string
  bead: string
  title: string
  text: string
  execution: string
}

/**
 * `event` numbers what happened, the same for every webhook and every try. `refused`: how often the receiver refused this
 * one. `dueAt`, milliseconds UTC: it is set aside until then; 0 where it has its place in the order.
 */
export type QueuedNotice = {
  event: number
  at: number
  notice: WebhookNotice
  refused: number
  dueAt: number
}

/**
 * `refused`: the receiver did not take this one, and may take others. `aside`: so the others go past it, and it alone waits
 * until `dueAt`; else all wait. What happened before `giveUpBefore` is given up.
 */
export type WebhookFailure = {
  event: number
  problem: string
  refused: boolean
  aside: boolean
  dueAt: number
  giveUpBefore: number
}

/** Milliseconds UTC. `problem`: of the last try, empty after one that went well. */
export type WebhookState = {
  name: string
  waiting: number
  tries: number
  dueAt: number
  problem: string
  /** The last try, and the last one that went well. */
  lastAt: number | null
  arrivedAt: number | null
  givenUp: number
  givenUpAt: number | null
}

/** Names of webhooks, and what each has yet to be told, in the order in which it happened. */
export interface WebhookStore {
  /** Exactly these are configured. A new one begins with what happens from now on; what one that is gone had is dropped. */
  keepWebhooks(names: readonly string[]): void
  /** Puts what has happened since into its queue, as far as it is `wanted`; a full queue loses its oldest. */
  queueForWebhook(name: string, wanted: (notice: WebhookNotice) => boolean): void
  /**
   * The one to be sent next: the oldest; then one that was set aside. One that is due further ahead than `longestMs` was set
   * aside before the clock was set back, and is due.
   */
  nextForWebhook(name: string, longestMs?: number): QueuedNotice | null
  /** It arrived. */
  webhookHas(name: string, event: number): void
  /** It did not. */
  webhookFailed(name: string, failure: WebhookFailure): void
  /** Its address has changed: what waits goes to the new one, from now on, and what became of the last try is forgotten. */
  webhookChanged(name: string): void
  webhooks(): WebhookState[]
}
