import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bead } from '../records/bead.ts'
import { parseProjectId } from '../records/ids.ts'
import type { BeadId } from '../records/ids.ts'
import { makeSchedule } from './make-schedule.ts'
import { HOME, type LiveExecution } from '../dispatch/dispatch-snapshot.ts'
import { edges, sampleBead as bead, sampleExecution, sampleProject, sampleSnapshot } from './sample-bead.ts'
import { inProgress, live, NOW, schedule, queued } from './sample-schedule.ts'
import { longTest } from './long-test.ts'

describe('queued executions', () => {
  test('start by priority of their bead, then by waiting time, as far as slots go', () => {
    const beads = ['a', 'b', 'c', 'd'].map((id) => bead(id, { ...inProgress, priority: id === 'd' ? 0 : 2 }))
    const result = schedule(beads, {
      queued: [queued('a', { queuedAt: 3 }), queued('b', { queuedAt: 1 }), queued('c', { queuedAt: 2 }), queued('d')],
    })
    expect(result.start).toEqual(['d', 'b', 'c'].map(sampleExecution))
    expect(result.texts).toEqual({ a: 'the free slots go to d, b and c first' })
  })

  test('wait with the reason that all slots are in use', () => {
    const beads = ['a', 'b', 'c', 'd'].map((id) => bead(id, inProgress))
    const result = schedule(beads, { running: ['a', 'b', 'c'].map(live), queued: [queued('d')] })
    expect(result.start).toEqual([])
    expect(result.texts).toEqual({ a: 'running now', b: 'running now', c: 'running now', d: '3 of 3 slots in use' })
  })

  test('get the slot of an execution whose verified work only waits for the remote, and its own bead says so', () => {
    const waits: LiveExecution = { ...live('a'), waits: { kind: 'push', since: 0, tries: 1, nextAt: 0, why: '' } }
    const result = schedule([bead('a'), bead('b')], { slots: 1, running: [waits], queued: [queued('b')] })
    expect(result.start).toEqual([sampleExecution('b')])
    expect(result.texts).toMatchObject({ a: "verified: waiting for the project's remote to accept it" })
    const twice = schedule([bead('a')], { slots: 1, running: [waits], queued: [queued('a')] })
    expect(twice.start).toEqual([])
  })

  test('wait while more run than there are slots now', () => {
    const result = schedule([bead('a'), bead('b'), bead('c')], {
      slots: 1,
      running: ['a', 'b'].map(live),
      queued: [queued('c')],
    })
    expect(result.start).toEqual([])
    expect(result.texts).toMatchObject({ c: '2 of 1 slots in use' })
  })

  test("wait if autopilot queued them and has paused itself; a person's start", () => {
    const brake = { code: 'autopilot_paused', text: 'paused itself' } as const
    const beads = ['a', 'b', 'c'].map((id) => bead(id))
    const wanted = { queued: [queued('a', { byAutopilot: true }), queued('b')] }
    const result = schedule(beads, wanted, { autopilot: true, brake })
    expect(result.start).toEqual([sampleExecution('b')])
    expect([result.codes, result.enqueue]).toEqual([{ a: 'autopilot_paused', c: 'autopilot_paused' }, []])
    expect(schedule(beads, wanted, { autopilot: false, brake }).start).toHaveLength(2)
  })

  test('of a project whose base is broken do not start, except for the bead that mends it', () => {
    const obstacle = { code: 'base_broken', text: 'all fail' } as const
    const beads = [bead('a'), bead('b', { labels: ['mends-base'] }), bead('c', { labels: ['mends-base'] })]
    const wanted = { queued: [queued('a'), queued('b')] }
    const result = schedule(beads, wanted, { obstacle, autopilot: true })
    expect(result.start).toEqual([sampleExecution('b')])
    expect([result.codes.a, result.enqueue]).toEqual(['base_broken', ['c']])
    const other = { code: 'no_model', text: 'none' } as const
    expect(schedule(beads, wanted, { obstacle: other, autopilot: true }).start).toEqual([])
    expect(schedule(beads, { ...wanted, obstacle: other }, { obstacle }).start).toEqual([])
  })

  test('of a bead that waits for others do not start, and later ones do', () => {
    const result = schedule([bead('a', { dependencies: edges('blocks', 'b') }), bead('b', inProgress), bead('c')], {
      queued: [queued('a', { queuedAt: 0 }), queued('c')],
    })
    expect(result.start).toEqual([sampleExecution('c')])
    expect(result.texts).toMatchObject({ a: 'waits for b' })
  })

  test('of a bead that somebody has claimed do not start, if claims count, and say whose it is', () => {
    const theirs = bead('a', { ...inProgress, assignee: 'ana', claimedBy: 'ana\u001b[31m' })
    const wanted = { queued: [queued('a'), queued('b')], slots: 1 }
    const result = schedule([theirs, bead('b')], wanted, { claimsIn: 'bd' })
    expect(result.start).toEqual([sampleExecution('b')])
    expect([result.codes, result.texts]).toEqual([{ a: 'claimed' }, { a: 'claimed by ana [31m in bd' }])
    expect(schedule([theirs, bead('b')], {}, { claimsIn: 'bd' }).texts).toMatchObject({
      a: 'claimed by ana [31m in bd',
    })
    expect(schedule([theirs, bead('b')], wanted).start).toEqual([sampleExecution('a')])
    const review = queued('a', { kind: 'review' })
    expect(schedule([theirs], { queued: [review] }, { claimsIn: 'bd' }).start).toEqual([review.id])
  })

  test('hold their slot while the tracker is asked for their bead', () => {
    const asked = { queued: [queued('a')], claiming: new Set([sampleExecution('a')]) }
    expect(schedule([bead('a')], asked).texts).toEqual({ a: 'starts once its tracker answers' })
  })

  test('of a bead that is not open start all the same: a person requested them', () => {
    const result = schedule([bead('a', { status: 'blocked' }), bead('b', { deferUntil: NOW + 1 })], {
      queued: [queued('a'), queued('b')],
    })
    expect(result.start).toHaveLength(2)
    expect(result.texts).toEqual({})
  })

  test('wait until their retry is due', () => {
    const at = Date.parse('2026-03-01T14:05:00Z')
    const execution = queued('a', { retryAt: at })
    expect(schedule([bead('a')], { queued: [execution] }).texts).toEqual({ a: 'retry at 14:05:00 UTC' })
    expect(schedule([bead('a')], { now: at, queued: [execution] }).start).toEqual([execution.id])
  })

  test('of a bead that is done or gone, or of a project that is gone, do not start', () => {
    const other = queued('c', { project: parseProjectId('other') })
    const result = schedule([bead('a', { status: 'done' })], { queued: [queued('a'), queued('b'), other] })
    expect(result.start).toEqual([])
    expect(result.codes).toEqual({ a: 'done', b: 'not_open' })
  })

  test('never make a second live execution of a bead', () => {
    const twice = [queued('a'), queued('a', { id: sampleExecution('again'), queuedAt: NOW + 1 })]
    expect(schedule([bead('a')], { queued: twice }).start).toEqual([sampleExecution('a')])
    expect(schedule([bead('a')], { queued: twice, running: [live('a')] })).toMatchObject({
      start: [],
      codes: { a: 'running' },
    })
  })
})

describe('an obstacle or a pause', () => {
  test("keeps queued executions too, but the bead's own dependency is named first", () => {
    const beads = [bead('a', { dependencies: edges('blocks', 'b') }), bead('b')]
    const result = schedule(beads, { queued: [queued('a'), queued('b')] }, { paused: true })
    expect(result).toMatchObject({ start: [], texts: { a: 'waits for b', b: expect.stringContaining('paused') } })
  })

  test('of one project lets another one continue', () => {
    const other = parseProjectId('other')
    const { start } = makeSchedule({
      now: NOW,
      slots: new Map([[HOME, 3]]),
      obstacle: null,
      projects: [sampleSnapshot([bead('a')], { paused: true }), sampleSnapshot([bead('b')], { id: other })],
      running: [],
      queued: [queued('a'), queued('b', { project: other })],
    })
    expect(start).toEqual([sampleExecution('b')])
  })
})

describe('the reason', () => {
  const reasonOf = (patch: Partial<Bead>, others: Bead[] = []) => schedule([bead('x', patch), ...others]).texts['x']

  test.each([
    [{ type: 'gate' }, 'gate: not a type of bead that agents work on'],
    [{ pinned: true }, 'pinned: a note, not work'],
    [{ template: true }, 'a template, not work'],
    [{ ephemeral: true }, 'a wisp of the tracker, or left out by "beads.ignore": not work'],
    [inProgress, 'in progress'],
    [{ status: 'in_progress', trackerStatus: 'hooked' }, 'hooked to an agent'],
    [{ status: 'blocked', trackerStatus: 'review' }, '"review" in the tracker, not open'],
    [{ trackerStatus: 'closed' }, 'reopened: updating the tracker'],
    [{ deferUntil: Date.parse('2026-04-01T00:00:00Z') }, 'deferred until 2026-04-01 00:00 UTC'],
    [{ deferUntil: 9e15 }, 'deferred until 9000000000000000 ms'],
  ] satisfies [Partial<Bead>, string][])('of %j is "%s"', (patch, text) => {
    expect(reasonOf(patch)).toBe(text)
  })

  test('for a bead whose texts changed while it ran is not a failure, and autopilot leaves it', () => {
    const ids = new Set([bead('x').id])
    const result = schedule([bead('x', inProgress)], {}, { tried: ids, outdated: ids })
    expect([result.enqueue, result.codes]).toEqual([[], { x: 'changed_meanwhile' }])
  })

  test('names up to three beads that it waits for, the parent that waits, or the children', () => {
    const waits = (...on: string[]) => ({ dependencies: edges('blocks', ...on) })
    const others = ['a', 'b', 'c', 'd', 'e'].map((id) => bead(id))
    expect(reasonOf(waits('a', 'b'), others)).toBe('waits for a and b')
    expect(reasonOf(waits('a', 'b', 'c', 'd', 'e'), others)).toBe('waits for a, b, c and 2 more')
    const parent = bead('p', waits('a'))
    expect(reasonOf({ dependencies: edges('parent-child', 'p') }, [parent, ...others])).toBe('its parent p waits for a')
    const kid = bead('k', { dependencies: edges('parent-child', 'a') })
    expect(reasonOf({ dependencies: edges('waits-for', 'a') }, [kid, ...others])).toBe('waits for the children k')
  })
})

test('every bead that is not done starts or has exactly one reason, within the slots, for any snapshot', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          id: name,
          status: fc.constantFrom('open', 'in_progress', 'blocked', 'done' as const),
          on: name,
          priority: fc.nat(4),
        }),
        { selector: ({ id }) => id },
      ),
      fc.uniqueArray(name),
      fc.uniqueArray(name),
      fc.uniqueArray(name),
      fc.record({ slots: fc.nat(4), paused: fc.boolean(), autopilot: fc.boolean() }),
      (rows, runs, waits, tried, { slots, paused, autopilot }) => {
        const beads = rows.map(({ id, status, on, priority }) =>
          bead(id, { status, priority, dependencies: on === 'f' ? edges('blocks', 'a') : [] }),
        )
        const result = schedule(
          beads,
          { slots, running: runs.map(live), queued: waits.map((id) => queued(id)) },
          { autopilot, paused, tried: new Set(tried as BeadId[]) },
        )
        expect(result.start.length).toBeLessThanOrEqual(Math.max(0, slots - runs.length))
        const started = waits.filter((id) => result.start.includes(sampleExecution(id)))
        for (const { id, status } of rows) {
          if (status === 'done') expect(result.enqueue).not.toContain(id)
          else expect([id, id in result.texts]).toEqual([id, !started.includes(id)])
        }
        const touched: string[] = [...runs, ...waits, ...tried]
        for (const id of result.enqueue) expect(touched).not.toContain(id)
      },
    ),
    { numRuns: 300 },
  )
})

longTest('a project of 100,000 beads is scheduled like small ones', () => {
  const beads = Array.from({ length: 100_000 }, (_, at) =>
    bead(`b-${at}`, { createdAt: at, dependencies: at % 2 === 0 ? [] : edges('blocks', `b-${at - 1}`) }),
  )
  const result = schedule(beads)
  expect(result.enqueue).toHaveLength(1_000)
  expect(result.texts).toMatchObject({ 'b-0': 'starts next', 'b-1': 'waits for b-0', 'b-99999': 'waits for b-99998' })
})

test('a review starts even if its bead waits or is done, and takes a slot like any other', () => {
  const beads = [
    bead('bl-1', { status: 'done', trackerStatus: 'closed' }),
    bead('bl-2'),
    bead('bl-3', { dependencies: edges('blocks', 'bl-2') }),
  ]
  const reviews = [queued('bl-1', { kind: 'review' }), queued('bl-3', { kind: 'review' })]
  expect(schedule(beads, { queued: reviews }).start).toEqual([sampleExecution('bl-1'), sampleExecution('bl-3')])
  expect(schedule(beads, { queued: reviews, slots: 1 }).start).toHaveLength(1)
  expect(schedule(beads, { queued: [queued('bl-1'), queued('bl-3')] }).start).toEqual([])
})

describe('an epic that is done by a plan consisting of its children', () => {
  const child = (id: string) => bead(id, { dependencies: edges('parent-child', 'e') })
  const epic = bead('e', { type: 'epic', createdAt: 9_999 })
  const partOf = new Map(['a', 'b'].map((id) => [bead(id).id, epic.id]))

  test('keeps its children from starting while it is queued or runs, and each says so', () => {
    const beads = [{ ...epic, ...inProgress }, child('a'), child('b')]
    const result = schedule(beads, { running: [live('e')], queued: [queued('b')] }, { partOf })
    expect(result).toMatchObject({ start: [], enqueue: [], codes: { e: 'running', a: 'in_plan', b: 'in_plan' } })
    expect(result.texts['a']).toBe('part of the running plan of e')
  })

  test('waits for children that were started before it', () => {
    const result = schedule([epic, child('a'), child('b')], { running: [live('a')], queued: [queued('e')] }, { partOf })
    expect(result.start).toEqual([])
    expect(result.texts['e']).toBe('waits for the children a, which run by themselves')
  })

  test('is started by autopilot before its children, which start if it cannot', () => {
    const beads = [epic, child('a')]
    expect(schedule(beads, {}, { epicsFirst: true })).toMatchObject({ enqueue: ['e'], codes: { a: 'in_plan' } })
    expect(schedule(beads).enqueue).toEqual(['a', 'e'])
    expect(schedule(beads, {}, { epicsFirst: true, tried: new Set([epic.id]) }).enqueue).toEqual(['a'])
  })
})

test('an execution that waits for a person between two phases has no slot, and gets one before queued ones', () => {
  const waiting = (continued: boolean): LiveExecution => ({
    ...live('a'),
    waits: { kind: 'phase', after: 2, since: 1, continued },
  })
  const wanted = { slots: 1, queued: [queued('b')] }
  const asked = schedule([bead('a'), bead('b')], { ...wanted, running: [waiting(false)] })
  expect(asked).toMatchObject({ start: [sampleExecution('b')], codes: { a: 'phase_waits' } })
  expect(asked.texts['a']).toBe('phase 2 is done: waits for you (beadloom plan a --continue)')
  const continued = schedule([bead('a'), bead('b')], { ...wanted, running: [waiting(true)] })
  expect(continued).toMatchObject({ start: [], texts: { a: 'continues as soon as a slot is free' } })
})

test('a slot that is kept for its former owner starts nothing, and a lent one starts others', () => {
  const slots = { slots: 1, running: [live('a')], queued: [queued('b')] }
  const beads = [bead('a'), bead('b')]
  const extra = (reserved: number) => [{ project: sampleProject, engine: HOME, used: -1, reserved }]
  expect(schedule(beads, { ...slots, extra: extra(0) }).start).toEqual([sampleExecution('b')])
  const kept = schedule(beads, { ...slots, extra: extra(1) })
  expect(kept).toMatchObject({ start: [], texts: { b: '1 of 1 slots in use' } })
})

test('an execution that waits for slots in which bases are checked says so', () => {
  const extra = (...ids: string[]) =>
    ids.map((id) => ({ project: parseProjectId(id), engine: HOME, used: 1, reserved: 0, proofs: 1 }))
  const text = (...ids: string[]) =>
    schedule([bead('a')], { slots: 1, queued: [queued('a')], extra: extra(...ids) }).texts['a']
  expect(text('httpx')).toBe('1 of 1 slots in use: checking the base of httpx')
  expect(text('httpx', 'marked')).toBe('2 of 1 slots in use: checking the base of httpx and marked')
})
