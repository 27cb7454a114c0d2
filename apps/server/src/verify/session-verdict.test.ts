import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sessionOutcomes } from '@beadloom/core/records/session.ts'
import type { SessionFacts } from '../sandbox/session-plan.ts'
import { brokeByItself, sessionVerdict } from './session-verdict.ts'

const exit = { code: 0, oomKilled: false, lost: false, startedAt: 0, finishedAt: 1 }
type Facts = Pick<SessionFacts, 'outcome' | 'exit' | 'reason'>
const well: Facts = { outcome: 'success', exit, reason: null }
const badly: Facts = { outcome: 'failed', exit: { ...exit, code: 1 }, reason: 'verification_failed' as Facts['reason'] }
const broken: Facts = { outcome: 'infra_error', exit: { ...exit, code: 1 }, reason: null }
const stopped: Facts = { ...broken, exit: { ...exit, code: 143 }, reason: 'stopped' }
const lost: Facts = { ...broken, exit: { ...exit, code: -1, lost: true } }
const codes = (...all: (number | null)[]) => all.map((exitCode) => ({ exitCode }))
const verdict = (facts: Facts, ...all: (number | null)[]) => sessionVerdict(facts, codes(...all), 2, 1024)

describe('the session of a verification', () => {
  test('proves its checks if it succeeded and every check passed', () => {
    expect(verdict(well, 0, 0)).toBe('checks')
  })

  test('proves its checks if it failed and a check failed; later checks were not run', () => {
    expect(verdict(badly, 1)).toBe('checks')
    expect(verdict(badly, 0, null)).toBe('checks')
  })

  test('contradicts itself if it succeeded although a check failed or is missing', () => {
    expect(verdict(well, 0, 1)).toBe('contradiction')
    expect(verdict(well, 0)).toBe('contradiction')
    expect(verdict(well)).toBe('contradiction')
  })

  test('contradicts itself if it failed although none of its checks did', () => {
    expect(verdict(badly, 0, 0)).toBe('contradiction')
    expect(verdict(broken, 0)).toBe('contradiction')
    expect(verdict(badly)).toBe('contradiction')
  })

  test('proves nothing if it was stopped from outside or lost its container before a check failed', () => {
    expect(verdict(stopped)).toMatchObject({ kind: 'stopped_outside' })
    expect(verdict(stopped, 0)).toMatchObject({ kind: 'stopped_outside' })
    expect(verdict(lost, 0)).toMatchObject({ kind: 'container_lost' })
  })

  test('proves a check that failed before the session was stopped', () => {
    expect(verdict(stopped, 1)).toBe('checks')
    expect(verdict(lost, 0, 1)).toBe('checks')
  })

  test('is a failure of the session, not of the work, if it broke before any check', () => {
    expect(verdict(broken)).toMatchObject({ kind: 'agent_crashed' })
    expect(verdict({ ...broken, exit: { ...exit, oomKilled: true } })).toMatchObject({
      failure: { what: { kind: 'out_of_memory', limitBytes: 1024 } },
    })
  })

  test('has passed only if every check ran and exited with 0', () => {
    const anyCode = fc.constantFrom(0, 1, 127, null)
    fc.assert(
      fc.property(
        fc.constantFrom(...sessionOutcomes),
        fc.array(anyCode, { maxLength: 3 }),
        fc.boolean(),
        (outcome, all, isLost) => {
          const found = sessionVerdict({ outcome, exit: { ...exit, lost: isLost }, reason: null }, codes(...all), 2, 1)
          const hasPassed = found === 'checks' && all.every((code) => code === 0)
          expect(hasPassed).toBe(outcome === 'success' && all.length === 2 && all.every((code) => code === 0))
        },
      ),
    )
  })
})

test('a check that ran when its session broke counts as failed, unless its container was stopped from outside or lost', () => {
  expect(brokeByItself(broken)).toBe(true)
  expect(brokeByItself(badly)).toBe(true)
  for (const facts of [well, stopped, lost, { ...broken, exit: { ...exit, outside: true } }])
    expect(brokeByItself(facts)).toBe(false)
})
