import type { SaveWebhook, WebhooksView, WebhookTest, WebhookView } from '@beadloom/core/api/settings/webhook-api.ts'
import { webhookEvents } from '@beadloom/core/api/settings/webhook-api.ts'
import { now } from './fixture-data.ts'

/* Made-up webhooks; changes made on the dashboard last as long as the process. */

const MINUTE = 60_000

const hook = (name: string, origin: string, given: Partial<WebhookView> = {}): WebhookView => ({
  name,
  origin,
  format: 'json',
  events: webhookEvents,
  projects: null,
  signed: false,
  waiting: 0,
  lastAt: null,
  arrivedAt: null,
  problem: '',
  tries: 0,
  nextAt: null,
  next: null,
  givenUp: 0,
  givenUpAt: null,
  ...given,
})

const all = new Map(
  [
    hook('phone', 'https://ntfy.sh', {
      format: 'ntfy',
      events: ['needs_you', 'budget'],
      lastAt: now - 4 * MINUTE,
      arrivedAt: now - 4 * MINUTE,
    }),
    hook('ops', 'https://ops.example:8443', {
      signed: true,
      projects: ['wordcraft'],
      waiting: 3,
      lastAt: now - 2 * MINUTE,
      arrivedAt: now - 190 * MINUTE,
      problem: 'it answered 503',
      tries: 6,
      nextAt: now + 60 * MINUTE,
      next: { event: 'failed', project: 'wordcraft', bead: 'wc-d20' },
      givenUp: 2,
      givenUpAt: now - 200 * MINUTE,
    }),
    hook('team', 'https://hooks.slack.com', { format: 'slack' }),
  ].map((one) => [one.name, one]),
)

export const webhooksOf = (): WebhooksView => ({ items: [...all.values()], problem: null })

export function handleWebhooks(
  method: string,
  [, name, verb]: string[],
  body: unknown,
): WebhooksView | { items: WebhookTest[] } {
  if (method === 'POST') {
    const items = [...all.values()].filter((one) => name === 'test' || (verb === 'test' && one.name === name))
    return {
      items: items.map((one) =>
        one.name === 'ops'
          ? { name: one.name, ok: false, text: 'it answered 503' }
          : { name: one.name, ok: true, text: 'it arrived' },
      ),
    }
  }
  if (method === 'DELETE' && name !== undefined) all.delete(name)
  if (method === 'PUT' && name !== undefined) {
    const { url, secret, ...rest } = body as SaveWebhook
    const old = all.get(name) ?? hook(name, '')
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
    all.set(name, {
      ...old,
      ...given,
      ...(url !== undefined && {
        origin: new URL(url).origin,
        lastAt: null,
        problem: '',
        tries: 0,
        next: null,
        nextAt: null,
      }),
      ...(secret !== undefined && { signed: secret !== null }),
    })
  }
  return webhooksOf()
}
