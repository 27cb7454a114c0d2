import type { WebhookApi } from '../ports.ts'
import { route, type Route } from '../routing/route.ts'

export const webhookRoutes = (webhooks: WebhookApi): Route[] => [
  route({
    method: 'post',
    path: '/api/webhooks/test',
    summary: 'Sends a test notice to every webhook of `config.json` now, once',
    idempotent: true,
    answer: { status: 200, description: '`{items: {name, ok, text}[]}`' },
    handle: () => webhooks.test(),
  }),
]
