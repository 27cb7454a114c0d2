import { expect, test } from 'vitest'
import { warmWish } from './warm-wish.ts'

const facts = {
  row: { autopilot: null, paused: false },
  autopilot: true,
  isHeld: false,
  engine: 'free',
  isAnyQueued: false,
} as const

test("a person's choice of autopilot counts more than the repository's", () => {
  expect(warmWish(facts)).toEqual({ autopilot: true, paused: false, held: false })
  expect(warmWish({ ...facts, row: { autopilot: false, paused: false } }).autopilot).toBe(false)
})

test('waiting sandboxes make room on a full engine, and only if something is queued', () => {
  expect(warmWish({ ...facts, engine: 'full', isAnyQueued: true })).toMatchObject({ paused: true, held: false })
  expect(warmWish({ ...facts, engine: 'full' })).toMatchObject({ paused: false, held: false })
  expect(warmWish({ ...facts, isAnyQueued: true })).toMatchObject({ paused: false })
})

test('nothing is opened on an engine that is away, and nothing that waits there is given up', () => {
  expect(warmWish({ ...facts, engine: 'away', isAnyQueued: true })).toMatchObject({ paused: false, held: true })
})

test('a paused project has none, and one with an obstacle opens none', () => {
  expect(warmWish({ ...facts, row: { autopilot: null, paused: true } }).paused).toBe(true)
  expect(warmWish({ ...facts, isHeld: true })).toMatchObject({ paused: false, held: true })
})
