import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { sampleStep } from '@beadloom/core/testing/sample-views.ts'
import { describe, expect, test } from 'vitest'
import { cancelRefusal, runRefusal } from './bead-actions.ts'
import { stateLine } from './state-line.ts'
import { canStart } from '@beadloom/core/dispatch/reason.ts'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'

const NOW = 1_000_000
const item = (
  lane: Lane,
  card: Partial<BeadCard>,
  execution: Partial<ExecutionView> | null,
  position: number | null = null,
): BoardCard => ({
  lane,
  position,
  card: { status: 'open', ready: false, reason: null, createdAt: 0, updatedAt: NOW - 60_000, ...card } as BeadCard,
  execution:
    execution &&
    ({
      tokens: { input: 0, output: 0 },
      cancelRequestedAt: null,
      detail: '',
      maxAttempts: 3,
      waits: null,
      attempt: 1,
      reason: null,
      verifications: [],
      ...execution,
    } as ExecutionView),
})
const line = (...given: Parameters<typeof item>) => stateLine(item(...given), NOW)

describe('the line of a card shows the present state:', () => {
  test('running: how far its plan is, or that an architect makes one', () => {
    const running = { kind: 'work', activity: 'running npm test', startedAt: NOW - 65_000 } as const
    expect(line('running', {}, running).text).toBe('running npm test')
    const progress = {
      phase: 2,
      of: 4,
      status: 'running',
      activity: 'subtasks',
      attempt: 1,
      done: 1,
      subtasks: 2,
    } as const
    expect(line('running', {}, { ...running, progress }).text).toBe('phase 2 of 4 · 1 of 2 subtasks')
    // After the last phase it is verified and published like any other work.
    const done = { ...progress, phase: 4, status: 'completed', activity: null } as const
    expect(line('running', {}, { ...running, progress: done }).text).toBe('running npm test')
    expect(line('running', {}, { ...running, kind: 'plan' }).text).toBe('planning: running npm test')
  })

  test('running: a limit at which a person is asked', () => {
    const waits = {
      kind: 'budget',
      scope: 'bead',
      unit: 'tokens',
      limit: 100_000,
      used: 100_400,
      since: NOW - 120_000,
      until: NOW + 1,
      currency: 'USD',
    } as const
    expect(line('running', {}, { activity: 'I look.', waits })).toEqual({
      text: 'waits for budget: 100k of 100k tokens used by this bead',
      figures: '2 min',
      waits: true,
    })
    expect(line('running', {}, { activity: 'I look.', waits: { ...waits, granted: true } })).toEqual({
      text: 'granted more: continues as soon as a slot is free',
      figures: '',
      waits: true,
    })
  })

  test('running: a plan that waits for a person between two phases', () => {
    const waits = { kind: 'phase', after: 2, since: NOW - 120_000, continued: false } as const
    expect(line('running', {}, { waits })).toEqual({
      text: 'phase 2 is done · waits for you',
      figures: '2 min',
      waits: true,
    })
    const continued = { ...waits, continued: true }
    expect(line('running', {}, { waits: continued }).text).toBe('continues as soon as a slot is free')
  })

  test('open: a plan that waits for its approval', () => {
    const reason = { code: 'plan_waits', text: 'its plan waits for your approval: beadloom plan a-1' } as const
    expect(line('open', { ready: true, reason }, null).text).toBe('its plan waits for approval')
  })

  test('open: a bead that waits for a person says so, and a reminder of a question says whose it is', () => {
    const reminder = { code: 'needs_human', text: 'reminds of a-0: answer it there', beads: ['a-0'] } as const
    const asks = { code: 'needs_human', text: 'waits for a person: read what it needs' } as const
    expect(line('open', { ready: true, reason: { ...reminder, beads: ['a-0'] } }, null).text).toBe(reminder.text)
    expect(line('open', { ready: true, reason: asks }, null).text).toBe('needs you')
    const codes = ['manual', 'slots_in_use', 'needs_human', 'project_broken'] as const
    expect(codes.filter((code) => canStart({ code, text: '' }))).toEqual(['manual', 'slots_in_use'])
    expect(canStart(null)).toBe(true)
  })
  test('queued: place and reason', () => {
    expect(line('queued', { reason: { code: 'slots_in_use', text: '3 of 3 slots in use' } }, {}, 2)).toEqual({
      text: '3 of 3 slots in use',
      figures: '#2',
    })
  })
  test('running: its activity, its start, its cost', () => {
    const running = {
      state: 'RUNNING' as const,
      activity: 'running npm test',
      startedAt: NOW - 252_000,
      tokens: { input: 12_000, output: 400 },
    }
    expect(line('running', {}, running)).toEqual({
      text: 'running npm test',
      figures: '4 min 12 s',
      extra: '12.4k tok',
    })
    expect(line('running', {}, { ...running, cancelRequestedAt: NOW }).text).toBe('stopping')
  })
  test('waiting by itself: for its next run or for the remote, and how long', () => {
    const run = {
      state: 'RUNNING' as const,
      activity: 'x',
      startedAt: 0,
      waits: { kind: 'retry', at: NOW + 12_000 } as const,
    }
    expect(line('running', {}, run)).toEqual({
      text: expect.stringMatching(/^retry at \d\d:\d\d:\d\d$/),
      figures: 'in 12 s',
      waits: true,
    })
    expect(line('running', {}, { ...run, cancelRequestedAt: NOW }).text).toBe('stopping')
    const waits = { kind: 'push', since: 0, tries: 2, nextAt: NOW + 95_000, why: 'no network' } as const
    const done = { state: 'COMPLETED' as const, startedAt: 0, endedAt: NOW, waits }
    expect(line('completed', {}, done)).toEqual({ text: 'push pending', figures: 'in 1 min' })
  })
  test('blocked: the agent’s own words', () => {
    expect(line('blocked', {}, { blockedReason: 'Which licence?\nSecond line' }).text).toBe('Which licence?')
  })
  test('failed: the first line of what happened, and the attempt', () => {
    expect(line('failed', {}, { detail: 'npm test fails.\nMore', attempt: 2 })).toEqual({
      text: 'npm test fails.',
      figures: '2/3',
    })
  })
  test('failed checks: the first complaint of the last one, not their number', () => {
    const digest = '2 tests failed\n● date.test.ts > reads an offset\n  expected 3 to equal 4\n'
    const steps = [
      sampleStep({ attempt: 1, passed: false, summary: '9 tests failed', digest: '9 tests failed\n● other' }),
      sampleStep({ attempt: 2, passed: false, summary: '2 tests failed', digest }),
      sampleStep({ attempt: 2, type: 'lint' }),
    ]
    const run = { detail: 'The tests still fail.', attempt: 2, verifications: steps }
    const text = (over: Partial<ExecutionView>) => line('failed', {}, { ...run, ...over }).text
    expect(text({ reason: 'verification_exhausted' })).toBe('date.test.ts > reads an offset')
    expect(text({ reason: 'push_conflict' })).toBe('The tests still fail.')
    const listed = sampleStep({
      passed: false,
      summary: '7 build errors: src/a.ts(3,5): error TS2322, src/b.ts(1,1): error TS1005',
      digest:
        "[BUILD] 7 build errors:\nsrc/a.ts(3,5): error TS2322: Type 'string' is not assignable.\n(+ 2 more errors)",
    })
    expect(text({ reason: 'tests_failed', verifications: [listed] })).toBe(
      "src/a.ts(3,5): error TS2322: Type 'string' is not assignable.",
    )
    const alone = sampleStep({ passed: false, summary: 'Ended with code 2', digest: '[TEST] Ended with code 2' })
    expect(text({ reason: 'tests_failed', verifications: [alone] })).toBe('Ended with code 2')
    const short = [sampleStep({ passed: false, summary: 'Build failed', digest: 'src/a.ts:3 is wrong' })]
    expect(text({ reason: 'no_progress', verifications: short })).toBe('src/a.ts:3 is wrong')
  })
  test('waiting: its reason', () => {
    expect(line('open', { reason: { code: 'waits_for_bead', text: 'waits for bl-1' } }, null).text).toBe(
      'waits for bl-1',
    )
  })
  test('an obstacle of the whole project: nothing, because the board says it once', () => {
    const reason = { code: 'no_docker' as const, text: 'Docker does not answer at /var/run/docker.sock: start it' }
    expect(line('open', { reason }, null).text).toBe('')
    expect(line('queued', { reason }, {}, 1)).toEqual({ text: '', figures: '#1' })
  })
  test('a pause that ends by itself: the remaining time', () => {
    const parked = {
      code: 'model_parked' as const,
      text: 'the model asked to wait until 14:05:10Z',
      until: NOW + 40_000,
    }
    expect(line('queued', { reason: parked }, {}, 1)).toEqual({ text: 'model cooling down', figures: 'in 40 s' })
    expect(line('open', { reason: parked, ready: true }, null)).toMatchObject({ figures: 'in 40 s' })
    const retry = { code: 'retry_later' as const, text: 'retry at 14:05:10Z', until: NOW + 200_000 }
    expect(line('queued', { reason: retry }, {}, 1)).toEqual({
      text: expect.stringMatching(/^retry at \d\d:\d\d:\d\d$/),
      figures: 'in 3 min',
    })
  })
  test('completed: how long it took, or that it was closed by hand', () => {
    expect(line('completed', {}, { startedAt: NOW - 600_000, endedAt: NOW - 300_000 })).toEqual({
      text: 'took 5 min',
      figures: '',
      extra: '5 min ago',
    })
    const diffSize = { files: 2, added: 120, removed: 34 }
    expect(line('completed', {}, { startedAt: NOW - 600_000, endedAt: NOW - 300_000, diffSize }).change).toEqual(
      diffSize,
    )
    expect(line('completed', {}, null)).toEqual({ text: 'closed in the tracker', figures: '1 min ago' })
  })
})

describe('a disabled button says why:', () => {
  const card = { id: 'a', status: 'open', reason: null } as BeadCard
  const run = (state: ExecutionView['state'], cancelRequestedAt: number | null = null) =>
    ({ state, cancelRequestedAt }) as ExecutionView
  test('Run', () => {
    expect(runRefusal(card, null, undefined)).toBeNull()
    expect(runRefusal(card, run('RUNNING'), undefined)).toBe('it is already running')
    expect(runRefusal(card, run('QUEUED'), undefined)).toBe('it is already queued')
    expect(runRefusal(card, run('FAILED'), undefined)).toBeNull()
    expect(runRefusal({ ...card, status: 'done' }, null, undefined)).toBe('it is done; reopen it first')
    expect(
      runRefusal({ ...card, reason: { code: 'not_work', text: 'an epic is not run itself' } }, null, undefined),
    ).toBe('an epic is not run itself')
  })
  test('Cancel', () => {
    expect(cancelRefusal(run('QUEUED'))).toBeNull()
    expect(cancelRefusal(run('RUNNING'))).toBeNull()
    expect(cancelRefusal(run('RUNNING', 5))).toBe('it is being stopped')
    expect(cancelRefusal(run('COMPLETED'))).toBe('nothing is running')
    expect(cancelRefusal(null)).toBe('nothing is running')
  })
})
