// @suite unit-long

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SlotMarket, type Trader } from '../testing/slot-market.ts'
import { inProgress, live, schedule, queued } from '../testing/sample-schedule.ts'
import { sampleBead as bead, sampleProject } from '../testing/sample-bead.ts'
import { shareOf } from './shares.ts'
import { lookAgain } from './turns.ts'

const on = (slots: number) => new Map([['local', slots]])
const trader = (name: string, more: Partial<Trader> = {}): Trader => ({
  name,
  priorities: [2],
  lasts: () => 1,
  beads: 500,
  ...more,
})

describe('a project with 500 ready beads and one with 3', () => {
  test.each([1, 2, 3, 8])('on %i slots: the three start in turn with the others', (slots) => {
    const market = new SlotMarket(on(slots), [trader('big'), trader('tiny', { beads: 3 })])
    for (let step = 0; step < 6; step++) market.step()
    expect(market.waiting('tiny')).toBe(0)
    expect(market.waited.get('tiny')).toBeLessThanOrEqual(5)
  })

  test('the three get a slot as soon as one is free, even if the big one has had them all for a long time', () => {
    const market = new SlotMarket(on(3), [trader('big', { lasts: () => 10 }), trader('tiny', { beads: 0 })])
    for (let step = 0; step < 12; step++) market.step()
    for (let filed = 0; filed < 3; filed++) market.file('tiny')
    while (market.has('tiny') === 0) market.step()
    expect(market.waited.get('tiny')).toBeLessThanOrEqual(10)
  })

  test('critical beads come first and starve nobody: each step of priority is worth one turn', () => {
    const market = new SlotMarket(on(1), [
      trader('big', { priorities: [0] }),
      trader('tiny', { priorities: [4], beads: 3 }),
    ])
    const order: string[] = []
    for (let step = 0; step < 12; step++) {
      market.step()
      order.push(market.running[0]!.project)
    }
    expect(order.slice(0, 4)).toEqual(['big', 'big', 'big', 'big'])
    expect(order.filter((one) => one === 'tiny')).toHaveLength(3)
  })
})

test('one slot is shared by weight over time, although each share rounds down to nothing', () => {
  const market = new SlotMarket(on(1), [trader('a', { weight: 3 }), trader('b')])
  for (let step = 0; step < 400; step++) market.step()
  expect(market.started.get('a')).toBeGreaterThanOrEqual(299)
  expect(market.started.get('a')).toBeLessThanOrEqual(301)
})

test('long executions do not take the slots of short ones, however often those start', () => {
  const market = new SlotMarket(on(4), [trader('long', { lasts: () => 1_000 }), trader('short')])
  for (let step = 0; step < 60; step++) {
    market.step()
    expect(market.has('long')).toBeLessThanOrEqual(2)
    expect(market.has('short')).toBe(2)
  }
})

test('a project that had no work has saved up no turns, and one that always had work has lost none', () => {
  const market = new SlotMarket(on(1), [trader('a', { beads: 300 }), trader('b', { beads: 0 })])
  for (let step = 0; step < 100; step++) market.step()
  for (let filed = 0; filed < 100; filed++) market.file('b')
  for (let step = 0; step < 100; step++) market.step()
  expect(Math.abs(market.started.get('b')! - 50)).toBeLessThanOrEqual(1)
  expect(lookAgain(new Map([[sampleProject, { turns: 9, active: false }]]), [sampleProject])).toEqual(
    new Map([[sampleProject, { turns: 0, active: true }]]),
  )
})

const anyTrader = fc.record({
  weight: fc.integer({ min: 1, max: 10 }),
  limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
  engine: fc.constantFrom('local', 'cluster'),
  priorities: fc.array(fc.nat(4), { minLength: 1, maxLength: 4 }),
  beads: fc.nat(30),
})

test('no limit is exceeded, no slot stays free while a bead may use it, and nobody waits for ever', () => {
  fc.assert(
    fc.property(
      fc.array(anyTrader, { minLength: 1, maxLength: 5 }),
      fc.record({ local: fc.nat(5), cluster: fc.integer({ min: 1, max: 9 }) }),
      fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
      fc.infiniteStream(fc.nat(20)),
      (given, slots, lengths, chance) => {
        const traders = given.map((one, at) => trader(`p${at}`, { ...one, lasts: () => lengths.next().value! }))
        const market = new SlotMarket(new Map(Object.entries(slots)), traders)
        for (let step = 0; step < 60; step++) {
          const lucky = chance.next().value!
          if (lucky < traders.length) market.file(`p${lucky}`)
          market.step()
          for (const engine of ['local', 'cluster'] as const) {
            const here = traders.filter((one) => one.engine === engine)
            const used = here.reduce((sum, { name }) => sum + market.has(name), 0)
            expect(used).toBeLessThanOrEqual(slots[engine])
            for (const { name, limit } of here) {
              const has = market.has(name)
              expect(has).toBeLessThanOrEqual(limit ?? Infinity)
              if (market.waiting(name) > 0 && has < (limit ?? Infinity)) expect(used).toBe(slots[engine])
            }
          }
        }
        // Once no more beads arrive, all the remaining work gets done.
        for (let step = 0; step < 1_200 && market.isBusy; step++) market.step()
        for (const { name, engine } of traders)
          if (slots[engine as 'local'] > 0) expect([name, market.waiting(name)]).toEqual([name, 0])
      },
    ),
    { numRuns: 40 },
  )
})

test('a project that always has work gets its share, rounded down or up, and starts as often as its weight says', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ weight: fc.integer({ min: 1, max: 8 }), priority: fc.nat(4) }), {
        minLength: 2,
        maxLength: 5,
      }),
      fc.integer({ min: 1, max: 12 }),
      (given, slots) => {
        const traders = given.map(({ weight, priority }, at) =>
          trader(`p${at}`, { weight, priorities: [priority], beads: 0 }),
        )
        const market = new SlotMarket(on(slots), traders)
        const weights = given.reduce((sum, { weight }) => sum + weight, 0)
        for (let step = 0; step < 60; step++) {
          for (const { name } of traders) while (market.waiting(name) < slots) market.file(name)
          market.step()
          for (const { name, weight = 1 } of traders) {
            const { down, up } = shareOf(slots, weight, weights)
            expect(market.has(name)).toBeGreaterThanOrEqual(down)
            expect(market.has(name)).toBeLessThanOrEqual(up)
          }
        }
        const turns = traders.map(({ name, weight = 1 }) => (market.started.get(name) ?? 0) / weight)
        // Priority is worth four turns, and each project may be in the middle of one.
        expect(Math.max(...turns) - Math.min(...turns)).toBeLessThanOrEqual(4 + 2)
      },
    ),
    { numRuns: 60 },
  )
})

describe('a bead that waits for its project says so', () => {
  const beads = ['a', 'b', 'c'].map((id) => bead(id, inProgress))

  test('at its limit, to which slots without an execution count, too', () => {
    const wanted = { running: [live('a'), live('b')], queued: [queued('c')] }
    expect(schedule(beads, { slots: 9, ...wanted }, { limit: 2 }).texts).toMatchObject({
      c: "its project's limit of 2 at once is reached",
    })
    const extra = [{ project: sampleProject, engine: 'local', used: 1, reserved: 0 }]
    const one = { slots: 9, running: [live('a')], queued: [queued('c')] }
    expect(schedule(beads, { ...one, extra }, { limit: 2 }).codes).toMatchObject({ c: 'project_limit' })
    expect(schedule(beads, one, { limit: 2 }).start).toHaveLength(1)
  })

  test('at its share, if other projects have slots', () => {
    const market = new SlotMarket(on(3), [trader('a', { lasts: () => 9 }), trader('b', { lasts: () => 9 })])
    market.step()
    const reasons = [...market.schedule().reasons.values()].flatMap((one) => [...one.values()].map(({ text }) => text))
    expect(new Set(reasons)).toEqual(
      new Set([
        'running now',
        'its project has its share of the slots: 2 of 3',
        'its project has its share of the slots: 1 of 3',
      ]),
    )
  })
})
