import type { SaveWebhook, WebhooksView, WebhookTest } from '@beadloom/core/api/settings/webhook-api.ts'
import { call } from './client.ts'

const path = (name: string) => `/api/webhooks/${encodeURIComponent(name)}`

export const getWebhooks = (signal: AbortSignal) => call<WebhooksView>('/api/webhooks', { signal })
export const saveWebhook = (name: string, body: SaveWebhook) => call<WebhooksView>(path(name), { method: 'PUT', body })
export const removeWebhook = (name: string) => call<WebhooksView>(path(name), { method: 'DELETE' })
export const testWebhooks = (name?: string) =>
  call<{ items: WebhookTest[] }>(name === undefined ? '/api/webhooks/test' : `${path(name)}/test`, { method: 'POST' })
