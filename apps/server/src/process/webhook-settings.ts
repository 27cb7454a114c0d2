import { z } from 'zod/mini'

export const webhookFormats = ['json', 'ntfy', 'slack'] as const
export const webhookEvents = ['needs_you', 'failed', 'merged', 'budget'] as const

const MOST_WEBHOOKS = 10

const Webhook = z.strictObject({
  /** For people, and to tell them apart. */
  name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens')),
  /** As good as a password at most receivers: shown nowhere. */
  url: z.string().check(
    z.maxLength(2000),
    z.refine((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''), 'is not an http(s) address'),
  ),
  format: z.optional(z.enum(webhookFormats)),
  /** Signs the body in the format `json`. */
  secret: z.optional(z.string().check(z.minLength(16), z.maxLength(200))),
  events: z.optional(z.array(z.enum(webhookEvents)).check(z.minLength(1))),
  projects: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
})

/** `webhooks` of `config.json`. No repository's file can name one: its agents would choose where the server calls. */
export const webhookSettings = z.array(Webhook).check(
  z.maxLength(MOST_WEBHOOKS),
  z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'two have the same name'),
)

export type WebhookSettings = {
  name: string
  url: string
  format: (typeof webhookFormats)[number]
  secret: string | null
  events: readonly (typeof webhookEvents)[number][]
  /** Null: all. */
  projects: readonly string[] | null
}

export const readWebhooks = (given: z.infer<typeof webhookSettings> = []): WebhookSettings[] =>
  given.map(({ name, url, format = 'json', secret = null, events = webhookEvents, projects = null }) => ({
    name,
    url,
    format,
    secret,
    events,
    projects,
  }))
