import { expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { parseBeadId, parseExecutionId } from '@beadloom/core/records/ids.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { digestLines, lastLine, noteLines, outcomeLines, progressNews, waitText } from './execution-notes.ts'

const none = { waits: null, retryAttempt: 0, retryCount: 3 }
const step = (given: Partial<Verification>) =>
  ({
    attempt: 1,
    purpose: 'attempt',
    run: 1,
    name: 'test',
    passed: false,
    summary: '',
    verdict: null,
    ...given,
  }) as Verification

test('an automatic wait is shown with the time of its end', () => {
  expect(waitText(none, 0)).toBeNull()
  expect(waitText({ ...none, retryAttempt: 1, waits: { kind: 'retry', at: 12_000 } }, 0)).toMatch(
    /^retry 1 of 3 at \d\d:\d\d:\d\d \(in 12 s\)$/,
  )
  const waits = { kind: 'push', since: 0, tries: 2, nextAt: 5_000, why: 'Could not\nresolve \u001b[31mhost' } as const
  expect(waitText({ ...none, waits }, 6_000)).toMatch(
    /^push pending, next try at \d\d:\d\d:\d\d \(now\): Could not resolve host$/,
  )
})

test('a wait at a limit is shown, with the command that grants more', () => {
  const wait = {
    kind: 'budget',
    scope: 'bead',
    unit: 'tokens',
    limit: 100_000,
    used: 100_000,
    since: 0,
    until: 9,
    currency: 'USD',
  } as const
  const id = parseExecutionId('ex-0000000001')
  expect(waitText({ ...none, id, waits: wait }, 0)).toBe(
    'waits for budget: 100k of 100k tokens used by this bead (beadloom budget grant ex-0000000001 --tokens N)',
  )
  expect(waitText({ ...none, id, waits: { ...wait, granted: true } }, 0)).toBe(
    'granted more: continues as soon as a slot is free',
  )
  const money = { ...wait, scope: 'week', unit: 'money', limit: 5_000_000, used: 5_100_000 } as const
  expect(waitText({ ...none, id, waits: money }, 0)).toBe(
    'waits for budget: 5.10 of 5.00 USD spent by the project this week (beadloom budget grant ex-0000000001 --money AMOUNT)',
  )
})

test('a wait for a person between two phases is shown, and the progress of the plan, each once', () => {
  const waits = { kind: 'phase', after: 2, since: 0, continued: false } as const
  const bead = parseBeadId('bl-1')
  expect(waitText({ ...none, bead, waits }, 0)).toBe('phase 2 is done: waits for you (beadloom plan bl-1 --continue)')
  expect(waitText({ ...none, bead, waits: { ...waits, continued: true } }, 0)).toBe(
    'continues as soon as a slot is free',
  )
  const news = progressNews()
  const progress = { phase: 2, of: 4, status: 'running', activity: 'subtasks', attempt: 1, done: 1, subtasks: 2 }
  const view = (more: object) => ({ progress: { ...progress, ...more } }) as ExecutionView
  expect([news({} as ExecutionView), news(view({})), news(view({})), news(view({ done: 2 }))]).toEqual([
    null,
    'phase 2 of 4 · 1 of 2 subtasks',
    null,
    'phase 2 of 4 · 2 of 2 subtasks',
  ])
})

test('check results, warning signs and follow-ups are shown, a line each', () => {
  const view = {
    verifications: [
      step({ summary: '3 tests failed' }),
      step({ run: 2, summary: '3 tests failed', verdict: 'same' }),
      step({ attempt: 2, purpose: 'merge', passed: true, name: 'build' }),
      step({ attempt: 2, passed: true, name: 'unit', made: true }),
      step({
        attempt: 2,
        passed: true,
        name: 'scope',
        exitCode: null,
        summary: 'm says no: too much',
        opinion: { model: 'm', answer: 'no', required: false },
      }),
    ],
    flags: [{ kind: 'tampered', text: 'Two tests are skipped.' }],
    signs: ['Every attempt failed in the same way.'],
    followUps: [{ bead: 'bl-9', kind: 'tests_failing', title: 'Tests\nfailing', status: 'open' }],
  } as unknown as ExecutionView
  expect(outcomeLines(view)).toEqual([
    '✕ attempt 1, test: 3 tests failed',
    '✕ attempt 1, re-check, test: 3 tests failed (same failures)',
    '✓ attempt 2, merge check, build: passed',
    '✓ attempt 2, unit (made by this bead): passed',
    '~ attempt 2, scope (an opinion): m says no: too much',
    '! tests weakened: Two tests are skipped.',
    '! Every attempt failed in the same way.',
    '→ filed bl-9: Tests failing',
  ])
})

test('a flag raised in several attempts is shown on one line, and a flag that is also a warning sign is shown once', () => {
  const flags = [1, 2, 3].map((attempt) => ({ kind: 'tampered', text: `attempt ${attempt}: a test is gone` }))
  const view = { flags, signs: flags.map(({ text }) => text), followUps: [] } as unknown as ExecutionView
  expect(noteLines(view)).toEqual(['! tests weakened: attempts 1, 2 and 3: a test is gone'])
})

test('the last line is a sentence; check results come before it, with their lines', () => {
  const detail = 'The tests still fail.\nadds\n  2 !== 3\n\n(attempt 1 failed in the same way)'
  const view = { bead: 'bl-1', state: 'FAILED', detail } as ExecutionView
  expect(lastLine(view)).toBe('✕ bl-1 FAILED: The tests still fail.')
  expect(digestLines(view)).toEqual(['  adds', '    2 !== 3', '  (attempt 1 failed in the same way)'])
  expect(lastLine({ ...view, detail: '' })).toBe('✕ bl-1 FAILED')
})
