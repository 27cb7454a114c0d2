import {
  addressProblem,
  parseWebhookName,
  webhookEvents,
  type SaveWebhook,
  type WebhookEvent,
  type WebhookFormat,
  type WebhookView,
} from '@beadloom/core/api/settings/webhook-api.ts'

/** The server's minimum length. */
export const LEAST_SECRET = 16

/** A webhook as typed. Its address and its secret are never shown: they start empty, and empty they stay as they are. */
export type WebhookDraft = {
  name: string
  url: string
  format: WebhookFormat
  secret: string
  unsigned: boolean
  events: readonly WebhookEvent[]
  /** Null: all. */
  projects: readonly string[] | null
}

/** Null: a new one. */
type Hook = Pick<WebhookView, 'name' | 'format' | 'events' | 'projects'> | null

export const draftOf = (hook: Hook): WebhookDraft => ({
  name: hook?.name ?? '',
  url: '',
  format: hook?.format ?? 'json',
  secret: '',
  unsigned: false,
  events: hook?.events ?? webhookEvents,
  projects: hook?.projects ?? null,
})

/** The end of a sentence about the address; null: it is right, or there is none. */
export const wrongAddress = ({ url }: WebhookDraft): string | null =>
  url.trim() === '' ? null : addressProblem(url.trim())

/** The first reason why it cannot be saved. */
export function draftProblem(draft: WebhookDraft, hook: Hook, taken: readonly string[]): string | null {
  const { name, url, format, secret, events, projects } = draft
  if (hook === null) {
    const wrong = nameProblem(name, taken)
    if (wrong !== null) return wrong
    if (url.trim() === '') return 'Type or paste the address'
  }
  const wrong = wrongAddress(draft)
  if (wrong !== null) return `The address ${wrong}`
  if (format === 'json' && secret !== '' && secret.length < LEAST_SECRET)
    return `The secret must have at least ${LEAST_SECRET} characters`
  if (events.length === 0) return 'Choose at least one event'
  if (projects?.length === 0) return 'Choose a project, or all of them'
  return null
}

export function wishOf({ url, format, secret, unsigned, events, projects }: WebhookDraft): SaveWebhook {
  const address = url.trim()
  const isUnsigned = format !== 'json' || unsigned
  return {
    ...(address !== '' && { url: address }),
    format,
    events: [...events],
    projects: projects && [...projects],
    ...(isUnsigned ? { secret: null } : secret !== '' && { secret }),
  }
}

function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name === '') return 'Give it a name'
  if (taken.includes(name)) return `There is a webhook ${name} already`
  try {
    parseWebhookName(name)
    return null
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^t/, 'T') : String(error)
  }
}
