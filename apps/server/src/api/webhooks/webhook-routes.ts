import { SaveWebhook } from '@beadloom/core/api/settings/webhook-api.ts'
import { webhookList, type WebhookListDeps } from './webhook-list.ts'
import { route, type Route } from '../../http/routing/route.ts'

const list = { status: 200, description: '`WebhooksView`, without addresses and secrets' }

export const webhookRoutes = (deps: WebhookListDeps): Route[] => {
  const hooks = webhookList(deps)
  return [
    route({
      method: 'get',
      path: '/api/webhooks',
      summary: 'The webhooks, with what became of the last try; never their addresses and secrets',
      answer: list,
      handle: () => hooks.list(),
    }),
    route({
      method: 'put',
      path: '/api/webhooks/:webhook',
      summary: 'Adds a webhook to `config.json`, or changes it there; it is told at once',
      body: SaveWebhook,
      refusals: [409, 422],
      answer: list,
      handle: ({ params, body }) => hooks.save(params.webhook, body),
    }),
    route({
      method: 'delete',
      path: '/api/webhooks/:webhook',
      summary: 'Removes a webhook from `config.json`, with what it has not been told yet',
      refusals: [409],
      answer: list,
      handle: ({ params }) => hooks.remove(params.webhook),
    }),
    route({
      method: 'post',
      path: '/api/webhooks/test',
      summary: 'Sends a test notice to every webhook now, once',
      idempotent: true,
      answer: { status: 200, description: '`{items: {name, ok, text}[]}`' },
      handle: () => hooks.test(),
    }),
    route({
      method: 'post',
      path: '/api/webhooks/:webhook/test',
      summary: 'Sends a test notice to one webhook now, once',
      idempotent: true,
      answer: { status: 200, description: '`{items: {name, ok, text}[]}`, with that one' },
      handle: ({ params }) => hooks.test(params.webhook),
    }),
  ]
}
