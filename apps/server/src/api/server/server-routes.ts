import type { AgentView } from '@beadloom/core/api/server/agents-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { SystemView } from '@beadloom/core/api/server/system-api.ts'
import { CHALLENGE_HEADER, isChallenge, proofOf } from '../../process/server-proof.ts'
import { Reply, route, type Route } from '../../http/routing/route.ts'

export type ServerDeps = {
  status: () => ServerStatus
  /** Asks the engine, which may take seconds. */
  system: () => Promise<SystemView>
  /** Asks the engine, which may take seconds. */
  agents: () => Promise<AgentView[]>
  ready: () => { ok: boolean; reasons: string[] }
  /** Prometheus text. */
  metrics: () => string
  /** A client that sends a challenge is shown that this server knows the token. */
  token: string
}

export const serverRoutes = ({ status, system, agents, ready, metrics, token }: ServerDeps): Route[] => [
  route({
    method: 'get',
    path: '/healthz',
    summary: 'Whether the server answers',
    description:
      'With a header `Beadloom-Challenge` of 64 hexadecimal digits the answer has `proof` too: an HMAC by which a client that knows the token finds out that this server does, before it sends it.',
    open: true,
    answer: { status: 200, description: '`{"ok":true}`' },
    handle({ headers }) {
      const challenge = headers[CHALLENGE_HEADER]
      return { ok: true, ...(isChallenge(challenge) && { proof: proofOf(token, challenge) }) }
    },
  }),
  route({
    method: 'get',
    path: '/readyz',
    summary: 'Whether requests are of use: the database can be written, and what ran before is taken up',
    open: true,
    refusals: [503],
    answer: { status: 200, description: '`{"ok":true,"reasons":[]}`; 503 with the reasons' },
    handle() {
      const found = ready()
      return found.ok
        ? found
        : new Reply(JSON.stringify(found), { 'Content-Type': 'application/json; charset=utf-8' }, 503)
    },
  }),
  route({
    method: 'get',
    path: '/metrics',
    summary: 'Metrics for Prometheus',
    answer: { status: 200, description: 'Prometheus text format 0.0.4', content: 'text/plain' },
    handle: () => new Reply(metrics(), { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }),
  }),
  route({
    method: 'get',
    path: '/api/status',
    summary: 'Slots, the queue with its reasons, Docker, the model, the disk',
    answer: { status: 200, description: 'ServerStatus' },
    handle: () => status(),
  }),
  route({
    method: 'get',
    path: '/api/system',
    summary: 'Containers, image builds, events per minute, connected clients, and the checks of `beadloom doctor`',
    answer: { status: 200, description: 'SystemView' },
    handle: () => system(),
  }),
  route({
    method: 'get',
    path: '/api/agents',
    summary: 'The agents that can work on beads: version, image, and whether there is a model for their API',
    answer: { status: 200, description: '`{items: AgentView[]}`' },
    handle: async () => ({ items: await agents() }),
  }),
]
