import type { Figures } from '@beadloom/core/api/server/figures-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { now, slots, type FixtureProject } from './fixture-data.ts'

const MINUTE = 60_000

/** `ill`: everything that can be wrong with it is. */
export const status = (projects: FixtureProject[], ill = false): ServerStatus => {
  const all = projects.flatMap((one) => [...one.executions.values()])
  const running = all.filter((one) => one.state === 'RUNNING')
  const queued = all.filter((one) => one.state === 'QUEUED')
  return {
    version: '0.1.0',
    startedAt: now - 62 * MINUTE,
    now: Date.now(),
    slots: { total: 3, used: Math.min(3, running.length) },
    warm: 1,
    queue: queued.map((one, index) => ({
      execution: one.id,
      project: one.project,
      bead: one.bead,
      position: index + 1,
      reason: slots,
    })),
    running: running.map((one) => one.id),
    engines: [],
    docker: {
      ok: !ill,
      text: ill ? 'Docker does not answer at /var/run/docker.sock: is it started?' : 'Docker 26.1 answers',
      where: ill
        ? null
        : '/var/run/docker.sock: the first of the usual sockets that answers; also found: /run/podman/podman.sock',
      weaker: ['no user namespaces: root in a container is root on the host if it breaks out'],
    },
    model: ill
      ? { name: 'gpt-5-mini', ok: false, text: 'OPENAI_API_KEY is not set: start the server with it.' }
      : { name: 'scripted', ok: true, text: 'recorded run, no AI' },
    disk: { freeBytes: ill ? 0.4 * 1024 ** 3 : 41 * 1024 ** 3, ok: !ill },
    database: null,
    databaseNote: null,
    backups: null,
    figures,
  }
}

const nothing = { count: 0, sumMs: 0, buckets: [] }
const none = { complex: 0, simple: 0 }
const figures: Figures = {
  ended: [],
  attempts: [],
  retries: [],
  freshStarts: none,
  handovers: none,
  subAgents: none,
  contextUsedUp: none,
  verifications: [],
  averageRetries: null,
  successRate: null,
  queue: nothing,
  firstEvent: nothing,
  tokens: { input: 0, output: 0 },
  reviews: [],
  reviewIssues: [],
}
