import { z } from 'zod/mini'
import { InvalidInput } from '../../records/ids.ts'

export const webhookFormats = ['json', 'ntfy', 'slack'] as const
export const webhookEvents = ['needs_you', 'failed', 'merged', 'budget'] as const
export type WebhookFormat = (typeof webhookFormats)[number]
export type WebhookEvent = (typeof webhookEvents)[number]

export const MOST_WEBHOOKS = 10
const LONGEST_ADDRESS = 2000

/**
 * A host, or an address in brackets, with a port; user and password before it; path and query after it. The server
 * parses it again.
 */
const ADDRESS = /^https?:\/\/(?:[^\s/?#@]*@)?(?:[^\s/?#@:[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#]\S*)?$/i

/**
 * The problem of an address, for people; null: none. It quotes nothing of the address, which is as good as a password.
 */
export function addressProblem(text: string): string | null {
  if (text.length > LONGEST_ADDRESS) return `has more than ${LONGEST_ADDRESS} characters`
  if (!/^https?:\/\//i.test(text)) return 'must begin with https:// or http://'
  return ADDRESS.test(text) ? null : 'is not an address such as https://ops.example/beadloom'
}

export const WEBHOOK_NAME_SAYS = 'must consist of lower-case letters, digits and hyphens, at most 40 of them'
const isName = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,39}$/.test(text)

export const webhookName = z.string().check(z.refine(isName, WEBHOOK_NAME_SAYS))
export const webhookUrl = z.string().check(
  z.refine((text) => addressProblem(text) === null, {
    error: ({ input }) => addressProblem(String(input)) ?? 'is no address',
  }),
)
/** Signs the body in the format `json`. */
export const webhookSecret = z
  .string()
  .check(z.minLength(16, 'must have at least 16 characters'), z.maxLength(200, 'has more than 200 characters'))

/** Fields that are left out stay unchanged; a new webhook needs its address. */
export const SaveWebhook = z.strictObject({
  url: z.optional(webhookUrl),
  format: z.optional(z.enum(webhookFormats)),
  /** Null: unsigned. */
  secret: z.optional(z.nullable(webhookSecret)),
  events: z.optional(z.array(z.enum(webhookEvents)).check(z.minLength(1, 'must name at least one'))),
  /** Null: all projects. */
  projects: z.optional(z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100)))),
})
export type SaveWebhook = z.infer<typeof SaveWebhook>

/** A webhook without its secrets. Times in milliseconds UTC. */
export type WebhookView = {
  name: string
  /** Scheme, host and port; the rest of the address is never shown. */
  origin: string
  format: WebhookFormat
  events: readonly WebhookEvent[]
  /** Null: all. */
  projects: readonly string[] | null
  signed: boolean
  /** Notices that have not arrived yet. */
  waiting: number
  /** The last try; null before the first. */
  lastAt: number | null
  /** The time of the last notice that arrived. */
  arrivedAt: number | null
  /** The problem of the last try; '' if it arrived. */
  problem: string
  /** Failed tries since the last arrival. */
  tries: number
  /** The time of the next try while a notice is repeated. */
  nextAt: number | null
  /** The notice that is repeated. */
  next: { event: WebhookEvent; project: string; bead: string } | null
  givenUp: number
  givenUpAt: number | null
}

export type WebhooksView = {
  items: WebhookView[]
  /** Why the webhooks in `config.json` cannot be changed here; null: they can. */
  problem: string | null
}
export type WebhookTest = { name: string; ok: boolean; text: string }

/** Throws with a message for people. */
export function parseWebhookName(text: string): string {
  if (isName(text)) return text
  throw new InvalidInput(`the name of a webhook ${WEBHOOK_NAME_SAYS}`)
}
