import type { BeadCard, BeadView } from '../api/beads/bead-api.ts'
import type { ExecutionView } from '../api/executions/execution-api.ts'
import type { ServerStatus } from '../api/server/server-api.ts'
import type { Execution } from '../records/execution.ts'
import { parseBeadId, parseExecutionId, type SessionId } from '../records/ids.ts'
import { defaultRetry } from '../records/retry.ts'
import type { Session } from '../records/session.ts'
import type { Verification } from '../records/verification.ts'
import { sampleProject } from './sample-bead.ts'

/* The API's views of one bead and its execution: a case changes the fields that it is about. */

/** The fields with ids as plain texts, for tests. */
export type Named<T> = Partial<Omit<T, 'id' | 'bead' | 'project'>> & { id?: string; bead?: string; project?: string }

const one = parseExecutionId('ex-0000000001')

/** Queued, and nothing has happened to it yet. */
export const sampleRecord = (over: Named<Execution> = {}): Execution =>
  ({
    id: one,
    project: sampleProject,
    bead: parseBeadId('bl-1'),
    kind: 'work',
    state: 'QUEUED',
    reason: null,
    detail: '',
    blockedReason: null,
    branch: 'beads-bl-1-a-bead',
    baseCommit: null,
    commit: null,
    context: '',
    formerBeadStatus: 'open',
    attempt: 0,
    maxAttempts: 3,
    retry: defaultRetry,
    retryCount: 0,
    retryAttempt: 0,
    maxSessions: 10,
    flags: [],
    waits: null,
    diffSize: null,
    elapsedMs: 0,
    tokens: { input: 0, output: 0 },
    queuedAt: 0,
    startedAt: null,
    endedAt: null,
    deadlineAt: null,
    cancelRequestedAt: null,
    stopPending: null,
    ...over,
  }) as Execution

export const sampleView = (over: Named<ExecutionView> = {}): ExecutionView =>
  ({
    ...sampleRecord(),
    beadTitle: 'A bead',
    activity: null,
    sessions: [],
    verifications: [],
    followUps: [],
    kept: [],
    signs: [],
    timeoutMs: null,
    modelNote: null,
    ...over,
  }) as ExecutionView

/** Ended well, after a minute and a half. */
export const sampleSession = (over: Partial<Session> = {}): Session => ({
  id: `${one}.1` as SessionId,
  execution: one,
  number: 1,
  kind: 'work',
  attempt: 1,
  state: 'ended',
  outcome: 'success',
  exitCode: 0,
  detail: '',
  container: null,
  model: null,
  tokens: { input: 0, output: 0 },
  logLines: 0,
  logBytes: 0,
  startedAt: 0,
  endedAt: 90_000,
  ...over,
})

/** A step that passed. */
export const sampleStep = (over: Partial<Verification> = {}): Verification => ({
  attempt: 1,
  purpose: 'attempt',
  run: 1,
  step: 1,
  session: `${one}.2` as SessionId,
  name: 'test',
  type: 'test',
  command: 'npm test',
  commit: 'c'.repeat(40),
  passed: true,
  exitCode: 0,
  durationMs: 12_300,
  tool: 'vitest',
  failures: 0,
  collected: 12,
  summary: '12 tests passed',
  digest: '',
  fingerprint: '',
  findings: [],
  verdict: null,
  at: 0,
  ...over,
})

/** Open, and nothing keeps it from running. */
export const sampleCard = (over: Partial<BeadCard> = {}): BeadCard => ({
  project: sampleProject,
  id: 'bl-1',
  title: 'A bead',
  status: 'open',
  trackerStatus: 'open',
  priority: 2,
  type: 'task',
  labels: [],
  updatedAt: 0,
  createdAt: 0,
  hidden: false,
  ready: true,
  reason: null,
  execution: null,
  ...over,
})

export const sampleBeadView = (over: Partial<BeadView> = {}): BeadView => ({
  ...sampleCard(),
  description: '',
  dependencies: [],
  dependents: [],
  executions: [],
  ...over,
})

const none = { complex: 0, simple: 0 }

/** An idle server with everything in place. */
export const sampleStatus = (over: Partial<ServerStatus> = {}): ServerStatus => ({
  version: '0',
  startedAt: 0,
  now: 0,
  slots: { total: 3, used: 0 },
  warm: 0,
  queue: [],
  running: [],
  engines: [],
  docker: { ok: true, text: 'Docker 28', where: '/var/run/docker.sock: DOCKER_HOST is set', weaker: [] },
  model: { name: 'm', ok: true, text: 'm' },
  disk: { freeBytes: 1e12, ok: true },
  database: null,
  databaseNote: null,
  backups: null,
  figures: {
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
    queue: { count: 0, sumMs: 0, buckets: [] },
    firstEvent: { count: 0, sumMs: 0, buckets: [] },
    tokens: { input: 0, output: 0 },
    reviews: [],
    reviewIssues: [],
  },
  ...over,
})
