import type { WebhookEvent } from '@beadloom/core/api/settings/webhook-api.ts'

/** The message about an event. Titles and texts are strangers' words, unchanged. */
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
 * `event` numbers the occurrence, the same for every webhook and every try. `refused`: the number of times that the
 * receiver refused this one. `dueAt`, milliseconds UTC: it is set aside until then; 0 if it has its place in the order.
 */
export type QueuedNotice = {
  event: number
  at: number
  notice: WebhookNotice
  refused: number
  dueAt: number
}

/**
 * `refused`: the receiver did not take this one, and may take others. `aside`: the others pass it, and it alone waits
 * until `dueAt`; else all wait. Anything that happened before `giveUpBefore` is given up.
 */
export type WebhookFailure = {
  event: number
  problem: string
  refused: boolean
  aside: boolean
  dueAt: number
  giveUpBefore: number
}

/** Milliseconds UTC. `problem`: the last try's, empty after one that went well. */
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

/** Names of webhooks, and the messages that each has yet to be sent, in the order of events. */
export interface WebhookStore {
  /** Exactly these are configured. A new one begins with events from now on; a removed one loses its messages. */
  keepWebhooks(names: readonly string[]): void
  /** Puts new events into its queue if they are `wanted`; a full queue loses its oldest. */
  queueForWebhook(name: string, wanted: (notice: WebhookNotice) => boolean): void
  /**
   * The one to be sent next: the oldest, then one that was set aside. If one is due further ahead than `longestMs`, the
   * clock was set back after it was set aside, and it is due now.
   */
  nextForWebhook(name: string, longestMs?: number): QueuedNotice | null
  /** It arrived. */
  webhookHas(name: string, event: number): void
  /** It did not. */
  webhookFailed(name: string, failure: WebhookFailure): void
  /** Its address has changed: waiting messages go to the new one from now on; the last try's result is forgotten. */
  webhookChanged(name: string): void
  webhooks(): WebhookState[]
}
