import type { BeadView, ExecutionView, ServerStatus } from '@beadloom/core/api.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/ids.ts'
import { defaultRetry } from '@beadloom/core/retry.ts'
import type { Session } from '@beadloom/core/session.ts'
import type { Verification } from '@beadloom/core/verification.ts'

/** Text of somebody who wants to write on the reader's terminal. */
export const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007\nb\u009b1Ac\u202ed 日本語 👩‍👩‍👧 e\r\u0008'
// oxlint-disable-next-line no-control-regex
export const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

export const execution = (over: Partial<Omit<ExecutionView, 'id' | 'bead' | 'project'>> & Named = {}): ExecutionView =>
  ({
    id: 'ex-0000000001' as ExecutionId,
    project: 'library' as ProjectId,
    bead: 'bl-1' as BeadId,
    beadTitle: 'Sort the list by name',
    kind: 'work',
    state: 'RUNNING',
    reason: null,
    detail: '',
    blockedReason: null,
    branch: 'beads-bl-1-sort',
    baseCommit: null,
    commit: null,
    context: '',
    formerBeadStatus: 'open',
    attempt: 1,
    maxAttempts: 3,
    retry: defaultRetry,
    retryCount: 0,
    retryAttempt: 0,
    retryAt: null,
    maxSessions: 10,
    flags: [],
    pendingPush: null,
    elapsedMs: 0,
    tokens: { input: 0, output: 0 },
    queuedAt: 0,
    startedAt: 0,
    endedAt: null,
    deadlineAt: null,
    cancelRequestedAt: null,
    activity: 'running npm test',
    sessions: [],
    verifications: [],
    followUps: [],
    signs: [],
    timeoutMs: null,
    modelNote: null,
    ...over,
  }) as ExecutionView

type Named = { id?: string; bead?: string; project?: string }

export const status = (over: Partial<ServerStatus> = {}): ServerStatus => ({
  version: '0',
  startedAt: 0,
  now: 0,
  slots: { total: 3, used: 0 },
  queue: [],
  running: [],
  paused: false,
  docker: { ok: true, text: 'Docker 28', weaker: [] },
  model: { name: 'm', ok: true, text: 'm' },
  disk: { freeBytes: 1e12, ok: true },
  figures: {
    ended: [],
    attempts: [],
    retries: [],
    verifications: [],
    averageRetries: null,
    successRate: null,
    queue: { count: 0, sumMs: 0, buckets: [] },
    firstEvent: { count: 0, sumMs: 0, buckets: [] },
    tokens: { input: 0, output: 0 },
  },
  ...over,
})

export const session = (over: Partial<Session> = {}): Session => ({
  id: 'ex-0000000001.1' as SessionId,
  execution: 'ex-0000000001' as ExecutionId,
  number: 1,
  kind: 'work',
  attempt: 1,
  state: 'ended',
  outcome: 'success',
  exitCode: 0,
  detail: '',
  container: null,
  tokens: { input: 0, output: 0 },
  logLines: 0,
  logBytes: 0,
  startedAt: 0,
  endedAt: 90_000,
  ...over,
})

export const verification = (over: Partial<Verification> = {}): Verification => ({
  attempt: 1,
  purpose: 'attempt',
  run: 1,
  step: 0,
  session: 'ex-0000000001.2' as SessionId,
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

export const bead = (over: Partial<BeadView> = {}): BeadView => ({
  project: 'library',
  id: 'bl-1',
  title: 'Sort the list by name',
  status: 'open',
  trackerStatus: 'open',
  priority: 1,
  type: 'feature',
  labels: [],
  updatedAt: 0,
  createdAt: 0,
  hidden: false,
  ready: false,
  reason: null,
  execution: null,
  description: '',
  dependencies: [],
  dependents: [],
  executions: [],
  ...over,
})
