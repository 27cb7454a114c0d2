import { describe, expect, test } from 'vitest'
import { claimant, mergeTracked, withWaiting, type Ours, type Stored, type Theirs } from './merge-tracked.ts'

const stored: Stored = {
  status: 'open',
  trackerStatus: 'open',
  assignee: '',
  decided: false,
  claimedBy: null,
  failed: false,
  labelled: false,
}
const read: Theirs = { status: 'open', trackerStatus: 'open', labels: [], assignee: '' }
const nothing: Ours = { execution: null, claimed: false, unwritten: false }
const started: Partial<Theirs> = { status: 'in_progress', trackerStatus: 'in_progress' }
const closed: Partial<Theirs> = { status: 'done', trackerStatus: 'closed' }

const merge = (old: Partial<Stored>, theirs: Partial<Theirs>, ours: Partial<Ours> = {}) =>
  mergeTracked({ ...stored, ...old }, { ...read, ...theirs }, { ...nothing, ...ours })

describe('the status that counts', () => {
  test("is the tracker's while nobody here has decided", () => {
    expect(merge({ status: 'blocked' }, {})).toMatchObject({ status: 'open', decided: false, overruled: false })
  })

  test('is ours once somebody here has decided, and nothing has changed there', () => {
    expect(merge({ status: 'done', decided: true }, {})).toMatchObject({ status: 'done', decided: true })
  })

  test("is the tracker's again when it changes there, and ours is not written any more", () => {
    expect(merge({ status: 'done', decided: true }, { status: 'blocked', trackerStatus: 'blocked' })).toMatchObject({
      status: 'blocked',
      decided: false,
      overruled: true,
    })
  })
})

describe('a claim that comes back from the tracker', () => {
  const decided = { status: 'done', decided: true } as const

  test.each<[string, Partial<Ours>]>([
    ['of an execution that waits', { execution: 'QUEUED' }],
    ['that is noted', { claimed: true }],
    ['of an execution that has ended before its claim was noted', { unwritten: true }],
  ])('%s is our own: the status here counts', (_, ours) => {
    const theirs = { ...started, assignee: 'beadloom' }
    expect(merge(decided, theirs, ours)).toMatchObject({ status: 'done', decided: true, overruled: false })
  })

  test('without any execution of ours is the tracker’s word', () => {
    expect(merge(decided, { ...started, assignee: 'beadloom' })).toMatchObject({
      status: 'in_progress',
      decided: false,
    })
  })

  test('is our own under the assignee that it had before, if it is noted', () => {
    const both = [
      { ...decided, assignee: 'ann' },
      { ...started, assignee: 'ann' },
    ] as const
    expect(merge(...both, { claimed: true })).toMatchObject({ status: 'done', decided: true })
    expect(merge(...both, { execution: 'QUEUED' })).toMatchObject({ status: 'in_progress', decided: false })
  })
})

describe('while an execution runs', () => {
  const running = { execution: 'RUNNING' } as const
  const busy = { status: 'in_progress', decided: true } as const

  test('its own start comes back as an echo', () => {
    expect(merge(busy, { ...started, assignee: 'beadloom' }, running)).toMatchObject({
      status: 'in_progress',
      decided: true,
      seen: 'now',
    })
  })

  test("a person's change is kept for its end, and counts as a change then", () => {
    expect(merge(busy, { status: 'blocked', trackerStatus: 'blocked' }, running)).toMatchObject({
      status: 'in_progress',
      seen: 'later',
    })
    expect(merge(busy, { ...started, assignee: 'ann' }, running)).toMatchObject({ seen: 'later', claimedBy: 'ann' })
  })

  test('a close is adopted later, so that its outcome does not undo the close', () => {
    expect(merge(busy, closed, running)).toBeNull()
    expect(merge(busy, closed, { execution: 'QUEUED' })).toMatchObject({ status: 'done' })
  })

  test('the bead has not failed', () => {
    expect(merge({ ...busy, failed: true }, {}, running)).toMatchObject({ failed: false })
  })
})

describe('a claim', () => {
  test.each<[string, Partial<Theirs>, string | null]>([
    ['in progress for a person', { ...started, assignee: 'ann' }, 'ann'],
    ['hooked for a person', { trackerStatus: 'hooked', assignee: 'ann' }, 'ann'],
    ['in progress for nobody', { ...started }, null],
    ['in progress for Beadloom', { ...started, assignee: 'beadloom' }, null],
    ['open for a person', { assignee: 'ann' }, null],
  ])('%s', (_, theirs, person) => {
    expect(claimant({ ...read, ...theirs })).toBe(person)
  })

  test('that was there when Beadloom started the bead is none', () => {
    const before = { trackerStatus: 'in_progress', status: 'in_progress', assignee: 'ann', decided: true } as const
    expect(merge(before, { ...started, assignee: 'ann' })).toMatchObject({ claimedBy: null })
    expect(merge(before, { ...started, assignee: 'bob' })).toMatchObject({ claimedBy: 'bob' })
  })

  test('of a failed bead takes its failure away', () => {
    const failed = { status: 'in_progress', trackerStatus: 'in_progress', decided: true, failed: true } as const
    expect(merge(failed, { ...started, assignee: 'ann' })).toMatchObject({ failed: false, claimedBy: 'ann' })
    expect(merge(failed, { ...started })).toMatchObject({ failed: true, claimedBy: null })
  })
})

describe('the label `failed`', () => {
  const failed = { status: 'in_progress', trackerStatus: 'in_progress', decided: true, failed: true } as const

  test('is ours until the tracker has lost it and the bead has not failed', () => {
    expect(merge({ ...failed, labelled: true }, { ...started })).toMatchObject({ labelled: true })
    expect(merge({ labelled: true }, {})).toMatchObject({ labelled: false })
  })

  test("is another server's if it comes with a failure, and a person's if it was there without ours", () => {
    const theirs = { ...started, labels: ['failed'] }
    expect(merge({}, { ...theirs, failed: true })).toMatchObject({ failed: true, labelled: true })
    expect(merge(failed, theirs)).toMatchObject({ labelled: false })
  })
})

describe('a description of ours that the tracker does not have yet', () => {
  const ours = { description: 'two', labels: ['beadloom'], was: 'one' }

  test('counts beside the text that it replaces, and keeps its labels', () => {
    expect(withWaiting({ description: 'one', labels: ['mine'] }, ours)).toEqual({
      description: 'two',
      labels: ['mine', 'beadloom'],
    })
    expect(withWaiting({ description: 'made here', labels: [] }, { ...ours, was: null })?.description).toBe('two')
  })

  test('gives way to what a person has written there', () => {
    expect(withWaiting({ description: 'mine', labels: [] }, ours)).toBeNull()
  })

  test('is none while it says what the tracker said', () => {
    expect(withWaiting({ description: 'one', labels: [] }, { ...ours, description: 'one' })).toBeNull()
  })
})
