import { describe, expect, test } from 'vitest'
import { JOINED, OWN_CHECKS } from '../execution/next-step.ts'
import { pipelineOf, stageNow, stageText } from './pipeline.ts'
import { sampleSession, sampleStep, sampleView } from '../testing/sample-views.ts'
import type { Session } from '../records/session.ts'
import type { SessionId } from '../records/ids.ts'

const id = (number: number) => `ex-0000000001.${number}` as SessionId
const ended = (number: number, kind: Session['kind'], over: Partial<Session> = {}) =>
  sampleSession({ id: id(number), number, kind, ...over })
const live = (number: number, kind: Session['kind'], over: Partial<Session> = {}) =>
  ended(number, kind, { state: 'running', outcome: null, endedAt: null, ...over })
const step = (number: number, over: Parameters<typeof sampleStep>[0] = {}) =>
  sampleStep({ session: id(number), ...over })
const facts = (over: Parameters<typeof sampleView>[0] = {}) => sampleView({ state: 'RUNNING', attempt: 1, ...over })

/** "agent done, checks running | agent …": a row an attempt. */
const told = (over: Parameters<typeof sampleView>[0] = {}) =>
  pipelineOf(facts(over)).map(
    ({ attempt, stages }) => `${attempt}: ${stages.map(({ name, state }) => `${name} ${state}`).join(', ')}`,
  )
const agent = ended(1, 'work')
const failedChecks = {
  sessions: [agent, ended(2, 'verify', { outcome: 'failed' })],
  verifications: [step(2, { passed: false })],
}
const passedChecks = { sessions: [agent, ended(2, 'verify')], verifications: [step(2)] }

describe('live work', () => {
  test('has everything ahead while it is queued', () => {
    expect(told({ state: 'QUEUED', attempt: 0 })).toEqual(['1: agent todo, checks todo, merge todo, published todo'])
    expect(stageNow(facts({ state: 'QUEUED', attempt: 0 }))).toBeNull()
  })

  test('is at its agent even before a container has started', () => {
    expect(told({ attempt: 0 })).toEqual(['1: agent running, checks todo, merge todo, published todo'])
  })

  test('begins with checks if a person has allowed work that they refused', () => {
    expect(told({ attempt: 0, checksFirst: true })).toEqual(['1: checks running, merge todo, published todo'])
  })

  test('shows what runs, and the steps after it', () => {
    expect(told({ sessions: [live(1, 'work')] })).toEqual(['1: agent running, checks todo, merge todo, published todo'])
    expect(told({ sessions: [agent, live(2, 'verify')] })).toEqual([
      '1: agent done, checks running, merge todo, published todo',
    ])
    expect(told({ ...failedChecks, sessions: [...failedChecks.sessions, live(3, 'verify')] })).toEqual([
      '1: agent done, checks failed, again running, merge todo, published todo',
    ])
    expect(told({ ...passedChecks, sessions: [...passedChecks.sessions, live(3, 'verify')] })).toEqual([
      '1: agent done, checks done, merge running, published todo',
    ])
  })

  test('is at the next step between two sessions', () => {
    expect(told({ sessions: [agent] })).toEqual(['1: agent done, checks running, merge todo, published todo'])
    expect(told(failedChecks)).toEqual(['1: agent done, checks failed, again running, merge todo, published todo'])
    expect(told(passedChecks)).toEqual(['1: agent done, checks done, merge running, published todo'])
  })

  test('has a row for each attempt, the new one as soon as it is counted', () => {
    expect(told({ ...failedChecks, attempt: 2 })).toEqual([
      '1: agent done, checks failed',
      '2: agent running, checks todo, merge todo, published todo',
    ])
  })

  test('that waits says why: for a retry, at a limit, for the remote', () => {
    const lost = ended(1, 'work', { outcome: 'infra_error' })
    expect(told({ sessions: [lost], waits: { kind: 'retry', at: 5 } })).toEqual([
      '1: agent failed, agent waiting, checks todo, merge todo, published todo',
    ])
    expect(told({ sessions: [live(1, 'work')], waits: { kind: 'budget', since: 1 } as never })).toEqual([
      '1: agent waiting, checks todo, merge todo, published todo',
    ])
    const waits = { kind: 'push', since: 0, tries: 1, nextAt: 5, why: '' } as const
    expect(told({ ...passedChecks, waits })).toEqual(['1: agent done, checks done, merge done, published waiting'])
  })

  test('that was taken up after a restart continues in the same attempt', () => {
    const lost = ended(1, 'work', { outcome: 'infra_error' })
    expect(told({ sessions: [lost, live(2, 'work')] })).toEqual([
      '1: agent failed, agent running, checks todo, merge todo, published todo',
    ])
  })

  test('does not call checks without a result failed work: they begin again', () => {
    expect(told({ sessions: [agent, ended(2, 'verify', { outcome: 'infra_error' })] })).toEqual([
      '1: agent done, checks failed, checks running, merge todo, published todo',
    ])
  })
})

describe('work that has ended', () => {
  test('and is complete was merged and published, with and without checks of the merge', () => {
    const end = { state: 'COMPLETED', commit: 'c', baseCommit: 'b' } as const
    expect(told({ ...passedChecks, ...end })).toEqual(['1: agent done, checks done, merge done, published done'])
    const merge = {
      sessions: [...passedChecks.sessions, ended(3, 'verify')],
      verifications: [...passedChecks.verifications, step(3, { purpose: 'merge' })],
    }
    expect(told({ ...merge, ...end })).toEqual(['1: agent done, checks done, merge done, published done'])
  })

  test('and still waits for the remote is not called published', () => {
    const waits = { kind: 'push', since: 0, tries: 1, nextAt: 5, why: '' } as const
    expect(told({ ...passedChecks, state: 'COMPLETED', commit: 'c', baseCommit: 'b', waits })).toEqual([
      '1: agent done, checks done, merge done, published waiting',
    ])
  })

  test('and changed nothing was not merged', () => {
    expect(told({ sessions: [agent], state: 'COMPLETED', commit: 'b', baseCommit: 'b' })).toEqual(['1: agent done'])
  })

  test('otherwise stops at its last step, and promises nothing', () => {
    const of = (outcome: Session['outcome'], state: 'FAILED' | 'BLOCKED' | 'TIMEOUT' | 'CANCELLED') =>
      told({ state, sessions: [ended(1, 'work', { outcome })] })
    expect(of('blocked', 'BLOCKED')).toEqual(['1: agent blocked'])
    expect(of('timeout', 'TIMEOUT')).toEqual(['1: agent timeout'])
    expect(of('turn_limit', 'FAILED')).toEqual(['1: agent timeout'])
    expect(of('cancelled', 'CANCELLED')).toEqual(['1: agent cancelled'])
    expect(told({ ...failedChecks, state: 'FAILED' })).toEqual(['1: agent done, checks failed'])
    expect(told({ state: 'CANCELLED', attempt: 0 })).toEqual([])
  })

  test('in conflict with other work failed at the merge', () => {
    expect(told({ ...passedChecks, state: 'FAILED', reason: 'push_conflict' })).toEqual([
      '1: agent done, checks done, merge failed',
    ])
  })

  test('in conflict that its agent is asked to join has a failed merge, and another attempt', () => {
    const conflict = step(1, { purpose: 'merge', name: JOINED, tool: OWN_CHECKS, passed: false })
    const verifications = [...passedChecks.verifications, conflict]
    const sessions = [...passedChecks.sessions, live(3, 'work', { attempt: 2 })]
    expect(told({ sessions, verifications, attempt: 2 })).toEqual([
      '1: agent done, checks done, merge failed',
      '2: agent running, checks todo, merge todo, published todo',
    ])
    expect(told({ ...passedChecks, verifications, state: 'FAILED', reason: 'push_conflict' })).toEqual([
      '1: agent done, checks done, merge failed',
    ])
  })

  test('keeps the saving of its work, its preparation, and its new tests without the change, by their names', () => {
    const sessions = [ended(1, 'setup'), ended(2, 'work'), ended(3, 'verify', { outcome: 'failed' }), ended(4, 'save')]
    const redGreen = { is: 'red', text: '', commit: 'c', base: 'b', session: id(3) } as const
    expect(told({ state: 'FAILED', sessions, redGreen })).toEqual(['1: setup done, agent done, red done, save done'])
  })
})

describe('other kinds of executions', () => {
  test('promise neither checks nor a merge if they are a review or planning', () => {
    expect(told({ kind: 'review', sessions: [live(1, 'work')] })).toEqual(['1: agent running'])
    expect(told({ kind: 'plan', attempt: 0 })).toEqual(['1: agent running'])
    expect(told({ kind: 'review', state: 'COMPLETED', commit: 'c', sessions: [agent] })).toEqual(['1: agent done'])
  })

  test('show what happened if they work by a plan, and wait between two phases', () => {
    const waits = { kind: 'phase', after: 1, since: 0, continued: false } as const
    expect(told({ planVersion: 1, sessions: [agent], waits })).toEqual(['1: agent done, agent waiting'])
    expect(told({ planVersion: 1, sessions: [agent] })).toEqual(['1: agent done'])
  })
})

test('the current step is named with its attempt only if there may be several', () => {
  const second = { ...failedChecks, attempt: 2, sessions: [...failedChecks.sessions, ended(3, 'work', { attempt: 2 })] }
  expect(stageText(facts(second))).toBe('attempt 2 of 3 · checks')
  expect(stageText(facts({ ...second, attempt: 1, maxAttempts: 1, sessions: [agent] }))).toBe('checks')
  expect(stageText(facts({ state: 'FAILED', sessions: [agent] }))).toBeNull()
})
