import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beadStatuses, type Bead } from '../records/bead.ts'
import { parseBeadId, type BeadId } from '../records/ids.ts'
import type { Wait } from '../records/wait.ts'
import { makeSchedule } from '../testing/make-schedule.ts'
import { HOME, type DispatchSnapshot } from './dispatch-snapshot.ts'
import type { Reason } from './reason.ts'
import { edges, sampleBead, sampleExecution, sampleProject, sampleSnapshot } from '../testing/sample-bead.ts'
import { indexWaiting } from '../bead/waiting.ts'
import { needsNoReason, modelCooldown, whyItWaits, whyNotByItself } from './why-not.ts'

const NOW = Date.parse('2026-03-01T14:00:00Z')
const waitsForPush: Wait = { kind: 'push', since: NOW, tries: 1, nextAt: NOW, why: '' }
const execution = (name: string) => ({
  id: sampleExecution(name),
  project: sampleProject,
  bead: parseBeadId(name),
  queuedAt: NOW,
  retryAt: null,
})
const snapshot = (beads: Bead[], patch: Partial<DispatchSnapshot> = {}): DispatchSnapshot => ({
  now: NOW,
  slots: new Map([[HOME, 2]]),
  obstacle: null,
  projects: [sampleSnapshot(beads)],
  running: [],
  queued: [],
  ...patch,
})
const reasonOf = (made: DispatchSnapshot, id: string): Reason | undefined =>
  makeSchedule(made).reasons.get(sampleProject)?.get(parseBeadId(id))

test('an unknown status is named with what to do, whatever else is wrong with the bead', () => {
  for (const more of [{}, { type: 'epic' }, { trackerStatus: 'closed' }]) {
    const reason = reasonOf(snapshot([sampleBead('a', { status: 'blocked', oddStatus: 'lost\nsoul', ...more })]), 'a')
    expect(reason?.code).toBe('odd_status')
    expect(reason?.text).toMatch(/does not know its status in the database: "lost soul"\..*Run or close the bead/)
  }
})

test('a bead whose run failed names the time of the next one', () => {
  const at = Date.parse('2026-03-01T14:30:00Z')
  const why = (waits: Wait | null) =>
    reasonOf(snapshot([sampleBead('a')], { running: [{ ...execution('a'), waits }] }), 'a')
  expect(why({ kind: 'retry', at })).toEqual({ code: 'retry_later', text: 'retry at 14:30 UTC', until: at })
  expect(why({ kind: 'retry', at: NOW })).toEqual({ code: 'running', text: 'running now' })
  expect(why(null)?.code).toBe('running')
  expect(why(waitsForPush)?.code).toBe('push_pending')
})

test('a parked model keeps new starts in the queue, with the time at which it continues', () => {
  const until = Date.parse('2026-03-01T14:05:30Z')
  const projects = [sampleSnapshot([sampleBead('a'), sampleBead('b')], { obstacle: modelCooldown(until, NOW) })]
  const made = snapshot([], { projects, queued: [execution('a')] })
  const reason = { code: 'model_parked', text: 'the model asked to wait until 14:05 UTC (too many requests)', until }
  expect(makeSchedule(made)).toMatchObject({ start: [], enqueue: [] })
  expect([reasonOf(made, 'a'), reasonOf(made, 'b')]).toEqual([reason, reason])
})

test('for any snapshot, every bead that is not done and does not start has one reason, and a done one none', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const name = fc.constantFrom(...names)
  const moment = fc.option(fc.integer({ min: NOW - 10, max: NOW + 10_000 }))
  const row = fc.record({
    id: name,
    status: fc.constantFrom(...beadStatuses),
    trackerStatus: fc.constantFrom('open', 'in_progress', 'blocked', 'closed', 'tombstone', 'pinned', 'odd'),
    type: fc.constantFrom('task', 'epic', 'gate', ''),
    labels: fc.subarray(['needs-human', 'timeout', 'x']),
    edge: fc.constantFrom('blocks', 'conditional-blocks', 'waits-for', 'parent-child', 'related'),
    on: fc.subarray([...names, 'nowhere'], { maxLength: 3 }),
    deferUntil: moment,
    flags: fc.subarray(['pinned', 'ephemeral', 'template'], { maxLength: 1 }),
  })
  const obstacle: fc.Arbitrary<Reason | null> = fc.constantFrom(
    null,
    null,
    { code: 'no_docker', text: 'away' },
    { code: 'no_disk', text: 'full' },
    { code: 'settling', text: 'settling' },
    modelCooldown(NOW + 1, NOW),
  )
  const waits = fc.oneof(
    moment.map((at): Wait | null => (at === null ? null : { kind: 'retry', at })),
    fc.constant(waitsForPush),
  )
  const live = fc.record({ bead: name, waits })
  const queue = fc.record({ bead: name, retryAt: moment })
  const byBead = { selector: ({ bead }: { bead: string }) => bead }
  fc.assert(
    fc.property(
      fc.uniqueArray(row, { selector: ({ id }) => id }),
      fc.uniqueArray(live, byBead),
      fc.uniqueArray(queue, byBead),
      fc.subarray(names),
      fc.record({ slots: fc.nat(4), paused: fc.boolean(), obstacle }),
      fc.record({ autopilot: fc.boolean(), paused: fc.boolean(), obstacle }),
      (rows, running, queued, tried, { slots, ...server }, project) => {
        const beads = rows.map(({ id, edge, on, flags, ...patch }) =>
          sampleBead(id, {
            ...patch,
            dependencies: edges(edge, ...on),
            ...Object.fromEntries(flags.map((flag) => [flag, true])),
          }),
        )
        const { start, reasons } = makeSchedule({
          now: NOW,
          ...server,
          slots: new Map([[HOME, slots]]),
          projects: [sampleSnapshot(beads, { ...project, tried: new Set(tried as BeadId[]) })],
          running: running.map(({ bead, ...one }) => ({ ...execution(bead), ...one })),
          queued: queued.map(({ bead, ...one }) => ({ ...execution(bead), ...one })),
        })
        const known = reasons.get(sampleProject)
        const touched = [...running, ...queued].map(({ bead }) => bead)
        for (const bead of beads) {
          const reason = known?.get(bead.id)
          if (needsNoReason(bead)) {
            if (!touched.includes(bead.id)) expect(reason).toBeUndefined()
          } else if (queued.some((one) => one.bead === bead.id) && start.includes(sampleExecution(bead.id))) {
            expect(reason).toBeUndefined()
          } else {
            expect(reason?.code).toMatch(/^[a-z_]+$/)
            expect(reason?.text).toMatch(/\S/)
          }
        }
      },
    ),
    { numRuns: 500 },
  )
})

/** Why a bead that was filed for a person does not run; `status`: that of the bead for which it was filed. */
function whyOf(status: Bead['status'], labels = ['beadloom', 'needs-human']) {
  const origin = sampleBead('asks', { status })
  const filed = sampleBead('filed', { labels, dependencies: [{ dependsOn: origin.id, type: 'discovered-from' }] })
  return whyNotByItself(filed, 1, indexWaiting([origin, filed]), 0, false)
}

test('a reminder of a question names the bead that asks it, as long as that one does', () => {
  expect(whyOf('blocked')).toEqual({ code: 'needs_human', text: 'waiting for your answer on asks', beads: ['asks'] })
  expect(whyOf('done')).toMatchObject({ text: 'asks is done: close this bead, or run it', beads: ['asks'] })
  for (const status of ['timeout', 'in_progress', 'open'] as const)
    expect(whyOf(status)).toEqual({
      code: 'needs_human',
      text: 'needs you: read what it asks for, then run it',
    })
  expect(whyOf('blocked', ['beadloom'])).toBeNull()
})

test('each child of a waiting parent lists the first bead that the parent waits for, however many there are', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => sampleBead(`b-${at}`))
  const edges = many.map(({ id }) => ({ dependsOn: id, type: 'blocks' as const }))
  const parent = sampleBead('parent', { dependencies: edges })
  const child = sampleBead('child', { dependencies: [{ dependsOn: parent.id, type: 'parent-child' }] })
  const reason = whyItWaits(0, indexWaiting([child, parent, ...many]))
  expect(reason?.text).toBe('its parent parent waits for b-0, b-1, b-2 and 997 more')
  expect(reason?.beads).toHaveLength(20)
})
