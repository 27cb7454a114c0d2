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
  test('proves its checks if it ended well and all of them did', () => {
    expect(verdict(well, 0, 0)).toBe('checks')
  })

  test('proves its checks if it ended badly and one of them did: later ones were not run', () => {
    expect(verdict(badly, 1)).toBe('checks')
    expect(verdict(badly, 0, null)).toBe('checks')
  })

  test('contradicts itself if a check failed and it ended well, or a check is missing', () => {
    expect(verdict(well, 0, 1)).toBe('contradiction')
    expect(verdict(well, 0)).toBe('contradiction')
    expect(verdict(well)).toBe('contradiction')
  })

  test('contradicts itself if it ended badly and all of its checks ended well', () => {
    expect(verdict(badly, 0, 0)).toBe('contradiction')
    expect(verdict(broken, 0)).toBe('contradiction')
    expect(verdict(badly)).toBe('contradiction')
  })

  test('proves nothing if it was stopped from outside, or its container is lost, before a check failed', () => {
    expect(verdict(stopped)).toMatchObject({ kind: 'stopped_outside' })
    expect(verdict(stopped, 0)).toMatchObject({ kind: 'stopped_outside' })
    expect(verdict(lost, 0)).toMatchObject({ kind: 'container_lost' })
  })

  test('proves the check that had failed before it was stopped', () => {
    expect(verdict(stopped, 1)).toBe('checks')
    expect(verdict(lost, 0, 1)).toBe('checks')
  })

  test('ends the try if it broke before any check: the work is not to blame', () => {
    expect(verdict(broken)).toMatchObject({ kind: 'agent_crashed' })
    expect(verdict({ ...broken, exit: { ...exit, oomKilled: true } })).toMatchObject({
      failure: { what: { kind: 'out_of_memory', limitBytes: 1024 } },
    })
  })

  test('is believed to have passed only if every check has run and ended with 0', () => {
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

test('a check that was running when its session broke failed by itself, unless somebody took its container away', () => {
  expect(brokeByItself(broken)).toBe(true)
  expect(brokeByItself(badly)).toBe(true)
  for (const facts of [well, stopped, lost, { ...broken, exit: { ...exit, outside: true } }])
    expect(brokeByItself(facts)).toBe(false)
})
