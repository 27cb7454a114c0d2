import type { BeadCard } from '../api/beads/bead-api.ts'
import type { ExecutionView } from '../api/executions/execution-api.ts'
import { sampleCard } from '../testing/sample-views.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { laneWith, lanes, type BoardCard, type Lane } from './board-card.ts'
import { FollowUpNest, nestFollowUps } from './follow-up-nest.ts'

const empty = (): Record<Lane, BoardCard[]> => ({
  queued: [],
  running: [],
  blocked: [],
  failed: [],
  timeout: [],
  open: [],
  completed: [],
})
const run = (given: Partial<ExecutionView> = {}) =>
  ({ startedAt: 1, queuedAt: 0, endedAt: null, ...given }) as ExecutionView
const item = (lane: Lane, given: Partial<BeadCard>, execution: ExecutionView | null = null): BoardCard => ({
  card: sampleCard({ status: lane === 'completed' ? 'done' : 'open', ...given }),
  execution,
  lane,
  position: null,
})
function board(...items: BoardCard[]): Record<Lane, BoardCard[]> {
  const all = empty()
  for (const one of items) all[one.lane].push(one)
  return all
}
const idsOf = (all: Record<Lane, BoardCard[]>) =>
  Object.fromEntries(
    lanes.flatMap((lane) => (all[lane].length > 0 ? [[lane, all[lane].map(({ card }) => card.id)]] : [])),
  )

test('a follow-up is no card: its bead has it, in the lane in which its agent works', () => {
  const all = board(
    item('failed', { id: 'a' }),
    item('open', { id: 'a1', followUpOf: 'a' }),
    item('failed', { id: 'b' }),
    item('running', { id: 'b1', followUpOf: 'b' }, run()),
    item('open', { id: 'b2', followUpOf: 'b' }),
  )
  const made = nestFollowUps(all)
  expect(idsOf(made)).toEqual({ running: ['b'], failed: ['a'] })
  expect(made.running[0]?.through?.card.id).toBe('b1')
  expect(made.running[0]?.followUps?.map(({ card }) => card.id)).toEqual(['b1', 'b2'])
  expect(made.failed[0]?.through).toBeUndefined()
})

test('a follow-up that is left once the bead is done is a card again, and a finished one is not', () => {
  const all = board(
    item('completed', { id: 'a' }),
    item('open', { id: 'a1', followUpOf: 'a' }),
    item('running', { id: 'a2', followUpOf: 'a' }, run()),
    item('completed', { id: 'a3', followUpOf: 'a', execution: 'x' }, run()),
    item('open', { id: 'b1', followUpOf: 'gone' }),
  )
  expect(idsOf(nestFollowUps(all))).toEqual({ running: ['a2'], open: ['a1', 'b1'], completed: ['a'] })
})

test('a reminder takes no bead along and is not counted', () => {
  const all = board(item('blocked', { id: 'a' }), item('open', { id: 'r', followUpOf: 'a', reminderOf: 'a' }))
  const made = nestFollowUps(all)
  expect(idsOf(made)).toEqual({ blocked: ['a'] })
  expect(made.blocked).toBe(all.blocked)
})

test.each<[Lane, Lane[], Lane]>([
  ['failed', ['open'], 'failed'],
  ['failed', ['failed'], 'failed'],
  ['failed', ['completed'], 'failed'],
  ['failed', ['queued', 'running'], 'running'],
  ['failed', ['blocked', 'queued'], 'queued'],
  ['failed', ['blocked', 'open'], 'blocked'],
  ['timeout', ['blocked'], 'blocked'],
  ['blocked', ['running'], 'running'],
  ['blocked', ['blocked'], 'blocked'],
  ['open', ['running'], 'running'],
  ['running', ['queued'], 'running'],
  ['queued', ['running'], 'queued'],
])('a bead that is %s with follow-ups that are %s is %s', (own, others, lane) => {
  expect(
    laneWith(
      own,
      others.map((one) => ({ lane: one })),
    ).lane,
  ).toBe(lane)
})

test('every running and queued execution is on the board once, and unchanged parts are the same objects again', () => {
  const one = fc.record({ of: fc.constantFrom(null, 0, 1, 2, 3), lane: fc.constantFrom(...lanes) })
  fc.assert(
    fc.property(fc.array(fc.array(one, { maxLength: 8 }), { maxLength: 5 }), (steps) => {
      const nest = new FollowUpNest()
      for (const beads of steps) {
        const all = board(
          ...beads.map(({ of, lane }, at) =>
            item(
              lane,
              {
                id: String(at),
                ...(of === null || of >= at || beads[of]?.of !== null ? {} : { followUpOf: String(of) }),
              },
              run(),
            ),
          ),
        )
        const made = nest.nest(all)
        expect(made).toEqual(nestFollowUps(all))
        const again = nest.nest({ ...all })
        for (const lane of lanes) expect(again[lane]).toBe(made[lane])
        const shown = new Set(
          lanes.flatMap((lane) =>
            made[lane].flatMap(({ card, followUps }) => [card.id, ...(followUps ?? []).map((each) => each.card.id)]),
          ),
        )
        for (const lane of ['running', 'queued'] as const)
          for (const { card } of all[lane]) {
            expect(shown).toContain(card.id)
            const origin = lanes.flatMap((each) => made[each]).find(({ card: { id } }) => id === card.id)
            if (origin === undefined) continue
            expect(['queued', 'running', lane]).toContain(origin.lane)
          }
      }
    }),
  )
})
