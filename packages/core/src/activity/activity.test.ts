import { expect, test } from 'vitest'
import type { ActivityItem } from '../api/projects/activity-api.ts'
import { sumActivity } from './activity-sum.ts'
import { atAGlance, readable, weave } from './loom.ts'
import { PAUSE_PX, timeScale } from './time-scale.ts'

const MINUTE = 60_000
let made = 0
const item = (bead: string, from: number, to: number | null, given: Partial<ActivityItem> = {}): ActivityItem => ({
  execution: `ex-${String(++made).padStart(4, '0')}`,
  bead,
  title: `Title of ${bead}`,
  kind: 'work',
  state: to === null ? 'RUNNING' : 'COMPLETED',
  detail: '',
  startedAt: from * MINUTE,
  endedAt: to === null ? null : to * MINUTE,
  isMerged: to !== null,
  diff: null,
  tokens: 100,
  costMicros: null,
  ...given,
})

test('a bead counts once, by its newest execution, and the use of all counts', () => {
  const failed = { state: 'FAILED', isMerged: false } as const
  const items = [
    item('a', 10, 12),
    item('b', 8, 9, failed),
    item('a', 5, 6, failed),
    item('b', 3, 4, { costMicros: 7 }),
    item('c', 1, 2, { state: 'BLOCKED', isMerged: false }),
    item('a', 0, 1, { kind: 'review', isMerged: false }),
  ]
  expect(sumActivity(items)).toEqual({
    merged: 2,
    failed: 1,
    blocked: 1,
    timedOut: 0,
    running: 0,
    tokens: 600,
    costMicros: 7,
    isPartlyPriced: true,
  })
  expect(sumActivity([])).toMatchObject({ merged: 0, costMicros: null, isPartlyPriced: false })
})

test('if pieces of work are short, so is a pause that takes little room', () => {
  const pieces = Array.from({ length: 6 }, (_, at) => ({ from: at * 20_000, to: at * 20_000 + 15_000 }))
  const later = { from: 400_000, to: 410_000 }
  expect(timeScale([...pieces, later], 1000).stretches.map(({ from, to }) => [from, to])).toEqual([
    [0, 115_000],
    [400_000, 410_000],
  ])
  const long = pieces.map(({ from, to }) => ({ from: from * 20, to: to * 20 }))
  expect(timeScale([...long, { from: 2_700_000, to: 2_800_000 }], 1000).stretches).toHaveLength(1)
})

test('a long pause takes little room, and times within it are at the end of the work before', () => {
  const { stretches, xOf, width } = timeScale(
    [
      { from: 0, to: 10 * MINUTE },
      { from: 600 * MINUTE, to: 620 * MINUTE },
    ],
    1_000,
  )
  expect(stretches.map(({ from, to }) => [from / MINUTE, to / MINUTE])).toEqual([
    [0, 10],
    [600, 620],
  ])
  expect(width).toBeCloseTo(1_000)
  expect(xOf(600 * MINUTE) - xOf(10 * MINUTE)).toBeCloseTo(PAUSE_PX)
  expect(xOf(300 * MINUTE)).toBeCloseTo(xOf(10 * MINUTE))
  expect([xOf(-5), xOf(9_999 * MINUTE)]).toEqual([0, width])
})

test('no piece of time, or one without length, is a scale all the same', () => {
  expect(timeScale([], 500)).toMatchObject({ width: 0, stretches: [] })
  expect(timeScale([{ from: 5, to: 5 }], 500).xOf(5)).toBe(0)
})

test('threads that run at the same time have lanes of their own, above and below the branch in turn', () => {
  const loom = weave([item('a', 0, 60), item('b', 10, 70), item('c', 20, null), item('d', 65, 90)], 100 * MINUTE, 1_000)
  expect(loom.threads.map(({ item: { bead }, lane, end }) => [bead, lane, end])).toEqual([
    ['a', 1, 'merged'],
    ['b', -1, 'merged'],
    ['c', 2, 'running'],
    ['d', 1, 'merged'],
  ])
  expect([loom.above, loom.below, loom.now]).toEqual([2, 1, loom.scale.xOf(100 * MINUTE)])
  for (const one of loom.threads)
    for (const other of loom.threads)
      if (one !== other && one.lane === other.lane) expect(one.to < other.from || other.to < one.from).toBe(true)
})

test('an end that merged nothing has no knot, and executions that never started and reviews have no thread', () => {
  const { threads } = weave(
    [
      item('same', 0, 1, { isMerged: false }),
      item('never', 0, 1, { state: 'CANCELLED', startedAt: null }),
      item('review', 0, 1, { kind: 'review' }),
    ],
    2 * MINUTE,
    500,
  )
  expect(threads.map(({ item: { bead }, end }) => [bead, end])).toEqual([['same', 'cancelled']])
})

test('a thousand threads stay within the limits of a page', () => {
  const items = Array.from({ length: 1_000 }, (_, at) => item(`b${at}`, at * 30, at * 30 + 3))
  const { scale, threads } = weave(items, 40_000 * MINUTE, 1_000)
  expect(scale.width).toBeLessThan(100_000)
  expect(threads).toHaveLength(1_000)
  expect(new Set(threads.map(({ lane }) => lane)).size).toBe(1)
})

test('at a glance the whole time is as wide as the room, whatever width reading takes', () => {
  const items = Array.from({ length: 300 }, (_, at) => item(`b${at}`, at * 9, at * 9 + 20))
  const wide = weave(items, 4_000 * MINUTE, 1_000, readable)
  const narrow = weave(items, 4_000 * MINUTE, 1_000, atAGlance)
  expect(wide.scale.width).toBeGreaterThan(5_000)
  expect(Math.round(narrow.scale.width)).toBeLessThanOrEqual(1_000)
  expect(narrow.threads.map(({ item: { bead } }) => bead)).toEqual(wide.threads.map(({ item: { bead } }) => bead))
})
