import fc from 'fast-check'
import type { Bead } from '../bead/bead.ts'
import { parseBeadId, parseProjectId } from '../ids.ts'
import { sampleBead } from './sample-bead.ts'

/* Anything that may happen to what a plan is made of. */

const HOUR_MS = 3_600_000
/** Times of which people are told in several forms, by how far away they are. */
const moment = fc
  .tuple(fc.nat(30), fc.constantFrom(0, HOUR_MS / 20, HOUR_MS / 10))
  .map(([hours, more]) => hours * HOUR_MS + more)

export const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
export const name = fc.constantFrom(...names)
const edge = fc.record({
  type: fc.constantFrom('blocks', 'conditional-blocks', 'waits-for', 'parent-child', 'parent-child', 'discovered-from'),
  dependsOn: name,
  any: fc.boolean(),
})
export const anyBead = fc.record({
  id: name,
  status: fc.constantFrom('open', 'open', 'in_progress', 'blocked', 'timeout', 'done'),
  trackerStatus: fc.constantFrom('open', 'open', 'open', 'in_progress', 'closed', 'pinned', 'tombstone'),
  type: fc.constantFrom('task', 'task', 'epic', 'gate'),
  priority: fc.nat(4),
  createdAt: fc.nat(3),
  deferUntil: fc.option(moment, { nil: null }),
  labels: fc.subarray(['needs-human', 'mends-base']),
  claimedBy: fc.option(fc.constant('ana'), { nil: undefined, freq: 8 }),
  reminds: fc.option(name, { nil: undefined, freq: 5 }),
  dependencies: fc.array(edge, { maxLength: 3 }),
})
type AnyBead = typeof anyBead extends fc.Arbitrary<infer T> ? T : never

export const beadOf = ({ dependencies, claimedBy, reminds, ...rest }: AnyBead): Bead =>
  sampleBead(rest.id, {
    ...rest,
    id: parseBeadId(rest.id),
    ...(claimedBy !== undefined && { claimedBy }),
    ...(reminds !== undefined && { reminds: parseBeadId(reminds) }),
    dependencies: dependencies.map(({ any, ...one }) => ({
      ...one,
      ...(any && { metadata: '{"gate":"any-children"}' }),
    })),
  })

export const projects = ['p', 'q', 'r', 's'].map(parseProjectId)
const engine = fc.constantFrom('local', 'cluster')
const obstacle = fc.option(
  fc.constantFrom({ code: 'base_broken', text: 'red' } as const, { code: 'no_model', text: 'none' } as const),
  { nil: null, freq: 3 },
)
const rules = fc.record({
  autopilot: fc.boolean(),
  paused: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  obstacle,
  brake: fc.option(fc.constant({ code: 'autopilot_paused', text: 'paused itself' } as const), { nil: null, freq: 3 }),
  epicsFirst: fc.boolean(),
  claims: fc.boolean(),
  engine,
  weight: fc.integer({ min: 1, max: 4 }),
  limit: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
})
const project = fc.constantFrom(...projects)
const number = fc.nat(11)
export const anyChange = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('bead'), project, bead: anyBead }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('no-bead'), project, id: name }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('rules'), project, rules }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('no-project'), project }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('queued'),
      project,
      number,
      id: name,
      review: fc.boolean(),
      byAutopilot: fc.boolean(),
      retryAt: fc.option(moment, { nil: null }),
      queuedAt: fc.nat(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('running'),
      project,
      number,
      id: name,
      engine,
      pendingPush: fc.boolean(),
      retryAt: fc.option(moment, { nil: null }),
      phase: fc.constantFrom('none', 'none', 'waits', 'continued'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('ended'), number }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('starts'), most: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('known'), project, which: fc.nat(2), ids: fc.subarray([...names]) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('parts'), project, epic: name, ids: fc.subarray([...names]) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('now'), now: moment }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('server'),
      slots: fc.uniqueArray(fc.tuple(engine, fc.nat(5)), { selector: ([name]) => name }),
      extra: fc.array(fc.record({ project, engine, used: fc.integer({ min: -1, max: 2 }), reserved: fc.nat(1) }), {
        maxLength: 3,
      }),
      obstacle: fc.option(fc.constant({ code: 'no_disk', text: 'full' } as const), { nil: null, freq: 6 }),
    }),
  },
)
export type Change = typeof anyChange extends fc.Arbitrary<infer T> ? T : never
