import { describe, expect, test } from 'vitest'
import { parseProjectId } from '../records/ids.ts'
import {
  pauseAfterFailures,
  warmChanges,
  type WaitingSandbox,
  type WarmProject,
  type WarmView,
} from './warm-changes.ts'

const GIB = 1024 ** 3
const HOUR = 3_600_000
const NOW = 100 * HOUR
/** Another clock, with another start. */
const MONOTONIC = 10 * HOUR

const project = (id: string, own: Partial<WarmProject> = {}): WarmProject => ({
  id: parseProjectId(id),
  warm: 1,
  made: 'image',
  autopilot: false,
  paused: false,
  held: false,
  lastAt: NOW - HOUR,
  notBefore: 0,
  ...own,
})
const waits = (name: string, of: string, own: Partial<WaitingSandbox> = {}): WaitingSandbox => ({
  name,
  project: parseProjectId(of),
  made: 'image',
  since: MONOTONIC - HOUR,
  ready: true,
  ...own,
})
const plan = (view: Partial<WarmView>) =>
  warmChanges({
    now: NOW,
    monotonic: MONOTONIC,
    most: 3,
    memory: { freeBytes: 8 * GIB, totalBytes: 16 * GIB },
    projects: [project('one')],
    waiting: [],
    ...view,
  })

describe('a sandbox is opened ahead', () => {
  test('for a project with an execution in the last day, or with autopilot', () => {
    expect(plan({})).toEqual({ close: [], open: 'one' })
    expect(plan({ projects: [project('one', { lastAt: NOW - 25 * HOUR })] }).open).toBe(null)
    expect(plan({ projects: [project('one', { lastAt: null })] }).open).toBe(null)
    expect(plan({ projects: [project('one', { lastAt: null, autopilot: true })] }).open).toBe('one')
  })

  test.each([
    ['is paused', { paused: true, autopilot: true }],
    ['is held back', { held: true, autopilot: true }],
    ['wants none', { warm: 0 }],
    ['has nothing known to be made of', { made: null }],
    ['had a failure a moment ago', { notBefore: MONOTONIC + 1 }],
  ])('for no project that %s', (_, own) => {
    expect(plan({ projects: [project('one', own)] }).open).toBe(null)
  })

  test('until the project has as many as it wants, and one at a time', () => {
    expect(plan({ waiting: [waits('a', 'one')] })).toEqual({ close: [], open: null })
    const two = [project('one', { warm: 2 })]
    expect(plan({ projects: two, waiting: [waits('a', 'one')] }).open).toBe('one')
    expect(plan({ projects: two, waiting: [waits('a', 'one', { ready: false })] }).open).toBe(null)
  })

  test('never beyond the total limit', () => {
    const projects = [project('one', { warm: 5 })]
    const waiting = ['a', 'b', 'c'].map((name) => waits(name, 'one'))
    expect(plan({ projects, waiting })).toEqual({ close: [], open: null })
    expect(plan({ projects, waiting, most: 2 })).toEqual({ close: ['c'], open: null })
    expect(plan({ most: 0 }).open).toBe(null)
  })

  test('first for the project with the fewest, then for the most recently used', () => {
    const projects = [project('one', { warm: 2, lastAt: NOW }), project('two'), project('three', { lastAt: NOW - 1 })]
    expect(plan({ projects }).open).toBe('one')
    expect(plan({ projects, waiting: [waits('a', 'one')] }).open).toBe('three')
    expect(plan({ projects, waiting: [waits('a', 'one'), waits('b', 'three')] }).open).toBe('two')
  })

  test('only while plenty of memory is free', () => {
    const memory = { freeBytes: 3 * GIB, totalBytes: 16 * GIB }
    expect(plan({ memory }).open).toBe(null)
    expect(plan({ memory: { ...memory, totalBytes: 8 * GIB } }).open).toBe('one')
  })
})

describe('a waiting sandbox is closed', () => {
  const waiting = [waits('a', 'one')]
  test.each<[string, Partial<WarmProject>]>([
    ['is paused', { paused: true }],
    ['has another environment', { made: 'other' }],
    ['has an environment that nobody knows', { made: null }],
    ['was not used for a day', { lastAt: NOW - 25 * HOUR }],
    ['wants none any more', { warm: 0 }],
  ])('when its project %s', (_, own) => {
    expect(plan({ projects: [project('one', own)], waiting }).close).toEqual(['a'])
  })

  test('but not when its project is only held back, which may be over in a moment', () => {
    expect(plan({ projects: [project('one', { held: true })], waiting }).close).toEqual([])
  })

  test('when its project is gone', () => {
    expect(plan({ projects: [], waiting })).toEqual({ close: ['a'], open: null })
  })

  test('after four hours, and another takes its place', () => {
    expect(plan({ waiting: [waits('a', 'one', { since: MONOTONIC - 4 * HOUR })] })).toEqual({
      close: ['a'],
      open: 'one',
    })
  })

  test('when memory is short, whoever it is for; a little above that they stay, and no more are opened', () => {
    const two = { projects: [project('one'), project('two')], waiting: [waits('a', 'one'), waits('b', 'two')] }
    expect(plan({ ...two, memory: { freeBytes: GIB, totalBytes: 16 * GIB } }).close).toEqual(['a', 'b'])
    expect(plan({ ...two, memory: { freeBytes: 2 * GIB, totalBytes: 16 * GIB } })).toEqual({ close: [], open: null })
  })
})

test('failures are answered with growing pauses, up to an hour', () => {
  expect([1, 2, 3, 20].map(pauseAfterFailures)).toEqual([30_000, 60_000, 120_000, HOUR])
})
