import { z } from 'zod/mini'
import {
  MOST_WEBHOOKS,
  webhookEvents,
  webhookFormats,
  webhookName,
  webhookSecret,
  webhookUrl,
  type WebhookEvent,
  type WebhookFormat,
} from '@beadloom/core/api/settings/webhook-api.ts'

const Webhook = z.strictObject({
  /** For people, to tell webhooks apart. */
  name: webhookName,
  /** As good as a password at most receivers, so it is shown nowhere. */
  url: webhookUrl.check(
    z.refine((given) => URL.parse(given) !== null, 'cannot be read as an address: is its port at most 65535?'),
  ),
  format: z.optional(z.enum(webhookFormats)),
  secret: z.optional(webhookSecret),
  events: z.optional(z.array(z.enum(webhookEvents)).check(z.minLength(1))),
  projects: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
})
/** As it is in the file. */
export type StoredWebhook = z.infer<typeof Webhook>

/** `webhooks` of `config.json`. No repository's file can name one: its agents would choose where the server calls. */
export const webhookSettings = z.array(Webhook).check(
  z.maxLength(MOST_WEBHOOKS),
  z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'two have the same name'),
)

export type WebhookSettings = {
  name: string
  url: string
  format: WebhookFormat
  secret: string | null
  events: readonly WebhookEvent[]
  /** Null: all. */
  projects: readonly string[] | null
}

export const readWebhooks = (given: readonly StoredWebhook[] = []): WebhookSettings[] =>
  given.map(({ name, url, format = 'json', secret = null, events = webhookEvents, projects = null }) => ({
    name,
    url,
    format,
    secret,
    events,
    projects,
  }))
