import { SaveWebhook } from '@beadloom/core/api/settings/webhook-api.ts'
import type { WebhookApi } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

const list = { status: 200, description: '`WebhooksView`, without addresses and secrets' }

export const webhookRoutes = (webhooks: WebhookApi): Route[] => [
  route({
    method: 'get',
    path: '/api/webhooks',
    summary: 'The webhooks, with what became of the last try; never their addresses and secrets',
    answer: list,
    handle: () => webhooks.list(),
  }),
  route({
    method: 'put',
    path: '/api/webhooks/:webhook',
    summary: 'Adds a webhook to `config.json`, or changes it there; it is told at once',
    body: SaveWebhook,
    refusals: [409, 422],
    answer: list,
    handle: ({ params, body }) => webhooks.save(params.webhook, body),
  }),
  route({
    method: 'delete',
    path: '/api/webhooks/:webhook',
    summary: 'Removes a webhook from `config.json`, with what it has not been told yet',
    refusals: [409],
    answer: list,
    handle: ({ params }) => webhooks.remove(params.webhook),
  }),
  route({
    method: 'post',
    path: '/api/webhooks/test',
    summary: 'Sends a test notice to every webhook now, once',
    idempotent: true,
    answer: { status: 200, description: '`{items: {name, ok, text}[]}`' },
    handle: () => webhooks.test(),
  }),
  route({
    method: 'post',
    path: '/api/webhooks/:webhook/test',
    summary: 'Sends a test notice to one webhook now, once',
    idempotent: true,
    answer: { status: 200, description: '`{items: {name, ok, text}[]}`, with that one' },
    handle: ({ params }) => webhooks.test(params.webhook),
  }),
]
