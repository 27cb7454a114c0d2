// @suite unit-long

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bead } from '../../records/bead.ts'
import { indexWaiting, MOST_KIDS } from '../../bead/waiting.ts'
import { parseBeadId, type ExecutionId } from '../../records/ids.ts'
import { anyBead, anyChange, beadOf, name, plainRules, projects } from '../../testing/any-change.ts'
import { Twice } from '../../testing/twice.ts'
import { edges, sampleBead } from '../../testing/sample-bead.ts'
import { whyItWaits } from '../why-not.ts'
import { DispatchIndex } from './dispatch-index.ts'
import { LiveWaiting } from './live-waiting.ts'

/* After any changes, the index gives the same answers as a computation from everything. */

test('the waiting relation is the same after any changes, cycles included, with the same words', () => {
  const change = fc.oneof({ weight: 6, arbitrary: anyBead }, { weight: 1, arbitrary: name })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 40 }), (changes) => {
      const beads = new Map<string, Bead>()
      const live = new LiveWaiting(() => {})
      for (const one of changes) {
        if (typeof one === 'string') {
          beads.delete(one)
          live.remove(one)
        } else {
          beads.set(one.id, beadOf(one))
          live.set(beadOf(one))
        }
        const list = [...beads.values()]
        const plain = indexWaiting(list)
        for (const [at, { id }] of list.entries())
          expect([id, live.blockersOf(live.positionOf(id))]).toEqual([id, plain.blockersOf(at)])
      }
    }),
    { numRuns: 200 },
  )
})

test('many changed children of one parent cost beads that wait for them one look each', () => {
  let looks = 0
  const live = new LiveWaiting(() => void looks++)
  const many = Array.from({ length: 300 }, (_, at) => `${at}`)
  live.set(sampleBead('parent'))
  for (const at of many) live.set(sampleBead(`w-${at}`, { dependencies: edges('waits-for', 'parent') }))
  looks = 0
  for (const at of many) live.set(sampleBead(`k-${at}`, { dependencies: edges('parent-child', 'parent') }))
  live.tellOthers()
  expect(looks).toBeLessThan(10 * many.length)
  expect(live.blockersOf(live.positionOf('w-7'))).toMatchObject({ more: 300 - MOST_KIDS })
  expect(whyItWaits(live.positionOf('w-7'), live)?.text).toBe('waits for the children k-0, k-1, k-2 and 297 more')
})

/**
 * A project moves to an engine that is looked at before its former one, and another project has had its turns there.
 */
const moved: Parameters<Twice['apply']>[0][][] = [
  [
    {
      is: 'queued',
      project: projects[1]!,
      number: 0,
      id: 'a',
      review: false,
      byAutopilot: false,
      retryAt: null,
      queuedAt: 0,
    },
  ],
  [{ is: 'rules', project: projects[2]!, rules: { ...plainRules, engine: 'cluster', weight: 2 } }],
  [{ is: 'starts', most: 1 }],
  [
    {
      is: 'running',
      project: projects[2]!,
      number: 0,
      id: 'a',
      engine: 'cluster',
      waits: null,
    },
  ],
  [{ is: 'rules', project: projects[1]!, rules: { ...plainRules, engine: 'cluster', weight: 2, limit: 2 } }],
  [],
]

test('a schedule and every reason equal a full recalculation, after any changes', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyChange, { maxLength: 6 }), { minLength: 1, maxLength: 8 }), (rounds) => {
      const twice = new Twice()
      for (const round of rounds) {
        for (const one of round) twice.apply(one)
        const { plain, made, words } = twice.schedules()
        expect(made).toEqual(plain)
        for (const { id, bead, plain: reason, ...one } of words)
          expect([id, bead, one]).toEqual([id, bead, { made: reason, told: reason }])
      }
    }),
    { numRuns: 200, examples: [[moved]] },
  )
})

const known = { isTried: () => false, isOutdated: () => false, isUnapproved: () => false }
const around = (now = 0) => ({
  now,
  slots: new Map([['local', 3]]),
  extra: [],
  obstacle: null,
  claiming: new Set<ExecutionId>(),
})
function indexOf(beads: Iterable<Bead>): DispatchIndex {
  const index = new DispatchIndex()
  index.setProject(projects[0]!, { autopilot: true, paused: false, obstacle: null }, {}, known)
  for (const bead of beads) index.setBead(projects[0]!, bead)
  return index
}

test('a bead that twenty thousand others wait for frees them at once, and those in a cycle stay', () => {
  const many = Array.from({ length: 20_000 }, (_, at) =>
    sampleBead(`w-${at}`, { dependencies: edges('blocks', 'hub') }),
  )
  const cycle = ['x', 'y'].map((id, at) => sampleBead(id, { dependencies: edges('blocks', at === 0 ? 'y' : 'x') }))
  const index = indexOf([sampleBead('hub'), ...many, ...cycle])
  expect(index.schedule(around()).enqueue.map(({ bead }) => bead)).toEqual(['hub'])
  index.setBead(projects[0]!, sampleBead('hub', { status: 'done' }))
  expect(index.schedule(around()).enqueue).toHaveLength(1_000)
  expect(index.why(projects[0]!, parseBeadId('x'))?.text).toBe('waits for y')
})

test('a bead that waits for twenty thousand others is free with the last of them', () => {
  const others = Array.from({ length: 20_000 }, (_, at) => sampleBead(`o-${at}`))
  const waits = sampleBead('waits', { priority: 0, dependencies: edges('blocks', ...others.map(({ id }) => id)) })
  const index = indexOf([...others, waits])
  for (const other of others.slice(1)) index.setBead(projects[0]!, { ...other, status: 'done' })
  expect(index.schedule(around()).enqueue).toHaveLength(1)
  index.setBead(projects[0]!, { ...others[0]!, status: 'done' })
  expect(index.schedule(around()).enqueue.map(({ bead }) => bead)).toEqual(['waits'])
})

test('a pinned note below an epic is called a note, and no part of a plan', () => {
  const index = indexOf([sampleBead('epic', { type: 'epic' })])
  index.setProject(projects[0]!, { autopilot: true, paused: false, obstacle: null, epicsFirst: true }, {}, known)
  const child = { dependencies: edges('parent-child', 'epic') }
  index.setBead(projects[0]!, sampleBead('note', { ...child, trackerStatus: 'pinned' }))
  index.setBead(projects[0]!, sampleBead('part', child))
  index.schedule(around())
  const why = (id: string) => index.why(projects[0]!, parseBeadId(id))?.code
  expect([why('note'), why('part')]).toEqual(['not_work', 'in_plan'])
})
