import type { Execution } from '../execution.ts'
import { followUpBody, followUpOf } from '../follow-up.ts'
import type { FollowUp, FollowUpFacts } from '../follow-up.ts'
import { parseBeadId, parseExecutionId } from '../ids.ts'
import type { SessionId } from '../ids.ts'
import { defaultRetry } from '../retry.ts'
import type { Verification } from '../verification.ts'
import { sampleBead, sampleProject } from './sample-bead.ts'

/* An execution of the bead bl-4 that has ended, and what is known of it. */

export const sampleEnded = parseExecutionId('ex-abc123def4')
const session = (number: number) => `${sampleEnded}.${number}` as SessionId
const START = Date.parse('2026-03-01T12:00:00Z')

const endedExecution = (patch: Partial<Execution>): Execution => ({
  id: sampleEnded,
  project: sampleProject,
  bead: parseBeadId('bl-4'),
  kind: 'work',
  state: 'FAILED',
  reason: null,
  detail: '',
  blockedReason: null,
  branch: 'beads-bl-4-write-a-greeting',
  baseCommit: null,
  commit: null,
  context: '',
  formerBeadStatus: 'open',
  attempt: 3,
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
  queuedAt: START,
  startedAt: START,
  endedAt: START + 723_000,
  deadlineAt: null,
  cancelRequestedAt: null,
  ...patch,
})

export const failedStep = (attempt: number, patch: Partial<Verification> = {}): Verification => ({
  attempt,
  purpose: 'attempt',
  run: 1,
  step: 1,
  session: session(attempt * 2),
  name: 'test',
  type: 'test',
  command: 'npm test',
  commit: `c0ffee${attempt}`,
  passed: false,
  exitCode: 1,
  durationMs: 900,
  tool: 'vitest',
  failures: attempt,
  collected: 10,
  summary: `${attempt} test(s) failed`,
  digest: `digest of attempt ${attempt}`,
  fingerprint: 'f',
  findings: [],
  verdict: null,
  at: START,
  ...patch,
})

export const followUpFacts = (patch: Partial<Execution>, more: Partial<FollowUpFacts> = {}): FollowUpFacts => ({
  execution: endedExecution(patch),
  bead: sampleBead('bl-4', { title: 'Write a greeting', description: 'Say hello to people.', priority: 1 }),
  verifications: [],
  lastSession: session(7),
  tail: [],
  branchThere: true,
  savedRef: null,
  conflict: null,
  ...more,
})

/** The follow-up of that end, with its whole description. */
export function filed(patch: Partial<Execution>, more: Partial<FollowUpFacts> = {}): FollowUp & { body: string } {
  const followUp = followUpOf(followUpFacts(patch, more))
  if (!followUp) throw new Error('nothing is filed')
  return { ...followUp, body: followUpBody(followUp.head, [followUp.section]) }
}
