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

/** `event` numbers what happened, the same for every webhook and every try. */
export type QueuedNotice = { event: number; at: number; notice: WebhookNotice }

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
  /** The one to be sent next. */
  nextForWebhook(name: string): QueuedNotice | null
  /** It arrived. */
  webhookHas(name: string, event: number): void
  /** It did not. What happened before `giveUpBefore` is given up. */
  webhookFailed(name: string, failure: { problem: string; dueAt: number; giveUpBefore: number }): void
  /** Its address has changed: notices for the old one are dropped, and the next is sent now. */
  webhookChanged(name: string): void
  webhooks(): WebhookState[]
}
