import fc from 'fast-check'
import type { Bead } from '../records/bead.ts'
import { isExternal } from '../bead/external.ts'
import { parseBeadId, parseProjectId } from '../records/ids.ts'
import type { Wait } from '../records/wait.ts'
import { sampleBead } from './sample-bead.ts'

/* Arbitrary changes of the input of a schedule. */

const HOUR_MS = 3_600_000
/** Makes obstacles rare, so that most beads may start: otherwise two empty schedules would be compared. */
const seldom = <const T, const N>(arbitrary: fc.Arbitrary<T>, usual: N, weight = 6) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })

/** Times that have several forms in text, by their distance. */
const moment = fc
  .tuple(fc.nat(30), fc.constantFrom(0, HOUR_MS / 20, HOUR_MS / 10))
  .map(([hours, more]) => hours * HOUR_MS + more)

export const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
export const name = fc.constantFrom(...names)
const edge = fc.record({
  type: fc.constantFrom('blocks', 'conditional-blocks', 'waits-for', 'parent-child', 'parent-child', 'discovered-from'),
  dependsOn: fc.constantFrom<string[]>(...names, 'external:api:login'),
  any: fc.boolean(),
})
const labelsOf = (label: string): string[] =>
  label === 'both' ? ['needs-human', 'mends-base'] : label === '' ? [] : [label]
export const anyBead = fc.record({
  id: name,
  status: seldom(fc.constantFrom('in_progress', 'blocked', 'timeout', 'done'), 'open'),
  trackerStatus: seldom(fc.constantFrom('in_progress', 'closed', 'pinned', 'tombstone'), 'open', 9),
  type: seldom(fc.constantFrom('epic', 'epic', 'gate'), 'task', 4),
  priority: fc.nat(4),
  createdAt: fc.nat(3),
  deferUntil: seldom(moment, null),
  labels: seldom(fc.constantFrom('needs-human', 'mends-base', 'both'), '').map(labelsOf),
  claimedBy: seldom(fc.constant('ana'), undefined),
  reminds: seldom(name, undefined),
  dependencies: fc
    .integer({ min: 0, max: 3 })
    .chain((most) => fc.array(edge, { maxLength: Math.max(0, 2 * most - 3) })),
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
      ...(any && (isExternal(one.dependsOn) ? { met: true as const } : { metadata: '{"gate":"any-children"}' })),
    })),
  })

export const projects = ['p', 'q', 'r', 's'].map(parseProjectId)
const engine = fc.constantFrom('local', 'cluster')
const obstacle = seldom(
  fc.constantFrom({ code: 'base_broken', text: 'red' } as const, { code: 'no_model', text: 'none' } as const),
  null,
)
const rules = fc.record({
  autopilot: fc.boolean(),
  paused: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  obstacle,
  brake: seldom(fc.constant({ code: 'autopilot_paused', text: 'paused itself' } as const), null, 3),
  epicsFirst: fc.boolean(),
  claims: fc.boolean(),
  engine,
  weight: fc.integer({ min: 1, max: 4 }),
  limit: seldom(fc.integer({ min: 0, max: 3 }), null, 2),
})
const project = fc.constantFrom(...projects)
const number = fc.nat(29)
const anyWait: fc.Arbitrary<Wait | null> = fc.oneof(
  moment.map((at): Wait => ({ kind: 'retry', at })),
  fc.constant<Wait>({ kind: 'push', since: 0, tries: 1, nextAt: 0, why: '' }),
  fc.boolean().map((continued): Wait => ({ kind: 'phase', after: 1, since: 0, continued })),
)
export const anyChange = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('bead'), project, bead: anyBead }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('no-bead'), project, id: name }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('rules'), project, rules }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('no-project'), project }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('queued'),
      project,
      number,
      id: name,
      review: seldom(fc.constant(true), false),
      byAutopilot: fc.boolean(),
      retryAt: seldom(moment, null),
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
      waits: seldom(anyWait, null, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('ended'), number }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('starts'), most: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('known'),
      project,
      which: fc.nat(2),
      ids: fc.subarray([...names], { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('parts'),
      project,
      epic: name,
      ids: fc.subarray([...names], { maxLength: 2 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('now'), now: moment }) },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('server'),
      slots: fc.tuple(seldom(fc.constant(0), 1), fc.nat(5), fc.nat(7)).map(
        ([not, local, cluster]) =>
          (not === 0
            ? [['local', local]]
            : [
                ['local', local],
                ['cluster', cluster],
              ]) as [string, number][],
      ),
      extra: fc.array(fc.record({ project, engine, used: fc.integer({ min: -1, max: 2 }), reserved: fc.nat(1) }), {
        maxLength: 3,
      }),
      obstacle: seldom(fc.constant({ code: 'no_disk', text: 'full' } as const), null),
    }),
  },
)
export type Change = typeof anyChange extends fc.Arbitrary<infer T> ? T : never

export const plainBead = {
  status: 'open',
  trackerStatus: 'open',
  type: 'task',
  createdAt: 0,
  deferUntil: null,
  labels: [] as string[],
  claimedBy: undefined,
  reminds: undefined,
  dependencies: [],
} as const satisfies Partial<AnyBead>
export const plainRules = {
  autopilot: true,
  paused: false,
  obstacle: null,
  brake: null,
  epicsFirst: false,
  claims: false,
  engine: 'local',
  weight: 1,
  limit: null,
} as const
