import type { Execution } from '../records/execution.ts'
import { followUpBody, followUpOf } from '../bead/follow-up.ts'
import type { FollowUp, FollowUpFacts } from '../bead/follow-up.ts'
import { parseExecutionId } from '../records/ids.ts'
import type { SessionId } from '../records/ids.ts'
import type { Verification } from '../records/verification.ts'
import { sampleBead } from './sample-bead.ts'
import { sampleRecord, sampleStep } from './sample-views.ts'
import { counted } from '../text/count-text.ts'

/* An ended execution of the bead bl-4, and the facts about it. */

export const sampleEnded = parseExecutionId('ex-abc123def4')
const session = (number: number) => `${sampleEnded}.${number}` as SessionId
const START = Date.parse('2026-03-01T12:00:00Z')

const endedExecution = (patch: Partial<Execution>): Execution =>
  sampleRecord({
    id: sampleEnded,
    bead: 'bl-4',
    state: 'FAILED',
    branch: 'beads-bl-4-write-a-greeting',
    attempt: 3,
    queuedAt: START,
    startedAt: START,
    endedAt: START + 723_000,
    ...patch,
  })

export const failedStep = (attempt: number, patch: Partial<Verification> = {}): Verification =>
  sampleStep({
    attempt,
    session: session(attempt * 2),
    commit: `c0ffee${attempt}`,
    passed: false,
    exitCode: 1,
    failures: attempt,
    summary: `${counted(attempt, 'test')} failed`,
    digest: `digest of attempt ${attempt}`,
    fingerprint: 'f',
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
  fetch: 'git fetch /hub/demo.git beads-bl-4-write-a-greeting:beads-bl-4-write-a-greeting',
  savedRef: null,
  fetchSaved: '',
  kept: [],
  conflict: null,
  ...more,
})

/** The follow-up of that end, with its whole description. */
export function filed(patch: Partial<Execution>, more: Partial<FollowUpFacts> = {}): FollowUp & { body: string } {
  const followUp = followUpOf(followUpFacts(patch, more))
  if (!followUp) throw new Error('nothing is filed')
  return { ...followUp, body: followUpBody(followUp.head, [followUp.section]) }
}
