import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bead } from '../records/bead.ts'
import { hiddenOnBoard, isReady, readySet } from './ready.ts'
import { edges, sampleBead as bead } from '../testing/sample-bead.ts'
import { hasEnded, indexWaiting } from './waiting.ts'
import { whyNotByItself } from '../dispatch/why-not.ts'
import { longTest } from '../testing/long-test.ts'

const NOW = 1_000_000
const ids = (beads: Bead[]) => readySet(beads, NOW).map(({ id }) => id)
const closed = { status: 'done', trackerStatus: 'closed' } as const

describe('a bead is ready', () => {
  test.each([
    ['open', {}, true],
    ['of priority 0', { priority: 0 }, true],
    ['an epic', { type: 'epic' }, true],
    ['of a type nobody knows', { type: 'research' }, true],
    ['deferred to the past', { deferUntil: NOW }, true],
    ['deferred to the future', { deferUntil: NOW + 1 }, false],
    ['pinned', { pinned: true }, false],
    ['ephemeral', { ephemeral: true }, false],
    ['a template', { template: true }, false],
    ['a gate', { type: 'gate' }, false],
    ['a message', { type: 'message' }, false],
    ['hooked', { status: 'in_progress', trackerStatus: 'hooked' }, false],
    ['blocked by hand', { status: 'blocked', trackerStatus: 'blocked' }, false],
    ['of an unknown status', { status: 'blocked', trackerStatus: 'review' }, false],
    ['done here, while its tracker says open', { status: 'done' }, false],
    ['in progress here, while its tracker says open', { status: 'in_progress' }, false],
    ['timed out here, while its tracker says open', { status: 'timeout' }, false],
    ['open here, while its tracker says closed', { trackerStatus: 'closed' }, false],
  ] satisfies [string, Partial<Bead>, boolean][])('when it is %s: %j → %s', (_, patch, expected) => {
    expect(ids([bead('x', patch)])).toEqual(expected ? ['x'] : [])
  })

  test('never while it is only a reminder; once its bead is gone it is like any other', () => {
    const reminder = bead('x', { reminds: bead('t').id, dependencies: edges('discovered-from', 't') })
    expect(ids([reminder, bead('t')])).toEqual(['t'])
    expect(ids([reminder, bead('t', { status: 'blocked' })])).toEqual([])
    expect(ids([reminder, bead('t', closed)])).toEqual([])
    expect(ids([reminder])).toEqual(['x'])
  })

  test('not while a bead that it waits for was reopened here, although the tracker still says closed', () => {
    const waits = bead('x', { dependencies: edges('blocks', 't') })
    expect(ids([waits, bead('t', closed)])).toEqual(['x'])
    expect(ids([waits, bead('t', { status: 'open', trackerStatus: 'closed' })])).toEqual([])
  })

  test.each(['blocks', 'conditional-blocks'])('not while a bead that it depends on by "%s" has not ended', (type) => {
    const waits = bead('x', { dependencies: edges(type, 't') })
    expect(ids([waits, bead('t')])).toEqual(['t'])
    expect(ids([waits, bead('t', { status: 'in_progress' })])).toEqual([])
    expect(ids([waits, bead('t', { status: 'blocked', trackerStatus: 'review' })])).toEqual([])
    expect(ids([waits, bead('t', closed)])).toEqual(['x'])
    expect(ids([waits, bead('t', { status: 'done' })])).toEqual(['x'])
    expect(ids([waits, bead('t', { trackerStatus: 'pinned' })])).toEqual(['x'])
    expect(ids([waits, bead('t', { status: 'done', trackerStatus: 'tombstone' })])).toEqual(['x'])
  })

  test.each(['blocks', 'conditional-blocks', 'waits-for'])(
    'not while the bead that it depends on by "%s" is unknown, and it says so',
    (type) => {
      const waits = bead('x', { dependencies: edges(type, 'nowhere') })
      expect(ids([waits])).toEqual([])
      expect(whyNotByItself(waits, 0, indexWaiting([waits]), NOW, false)).toEqual({
        code: 'waits_for_bead',
        text: 'waits for nowhere (not in the tracker)',
        beads: [],
      })
      expect(ids([waits, bead('nowhere', closed)])).toEqual(['x'])
    },
  )

  test.each(['blocks', 'conditional-blocks', 'waits-for'])(
    'not while the bead that it depends on by "%s" has left the tracker unfinished, with a child or not',
    (type) => {
      const waits = bead('x', { dependencies: edges(type, 't') })
      const child = bead('c', { ...closed, dependencies: edges('parent-child', 't') })
      for (const status of ['open', 'in_progress', 'blocked', 'timeout'] as const) {
        const beads = [waits, bead('t', { status, trackerStatus: 'tombstone' }), child]
        expect(ids(beads)).toEqual([])
        expect(whyNotByItself(waits, 0, indexWaiting(beads), NOW, false)).toEqual({
          code: 'waits_for_bead',
          text: 'waits for t (not in the tracker)',
          beads: [],
        })
      }
    },
  )

  test('even if its parent is unknown, or left the tracker while it was deferred', () => {
    const child = bead('x', { dependencies: edges('parent-child', 'nobody') })
    expect(ids([child])).toEqual(['x'])
    expect(ids([child, bead('nobody', { trackerStatus: 'tombstone', deferUntil: NOW + 1 })])).toEqual(['x'])
  })

  test.each(['blocks', 'conditional-blocks', 'waits-for'])(
    'not while it needs an unknown bead of another project by "%s"',
    (type) => {
      const dependencies = edges(type, 'external:api:login')
      expect(ids([bead('x', { dependencies })])).toEqual([])
      expect(ids([bead('x', { dependencies: dependencies.map((edge) => ({ ...edge, met: true as const })) })])).toEqual(
        ['x'],
      )
    },
  )

  test('even if a bead of another project is merely related to it, or its parent', () => {
    const dependencies = [...edges('related', 'external:api:login'), ...edges('parent-child', 'external:api:epic')]
    expect(ids([bead('x', { dependencies })])).toEqual(['x'])
  })

  test.each(['related', 'discovered-from', 'parent_child', 'until', ''])('whatever a "%s" edge points to', (type) => {
    expect(ids([bead('x', { dependencies: edges(type, 't') }), bead('t', { status: 'in_progress' })])).toEqual(['x'])
  })

  test('while its parent is open, in progress or blocked by hand', () => {
    const child = bead('c', { dependencies: edges('parent-child', 'p') })
    for (const status of ['open', 'in_progress', 'blocked'] as const)
      expect(ids([child, bead('p', { status })])).toContain('c')
  })

  test('not while its parent waits for others, at any depth', () => {
    const beads = [
      bead('grandchild', { dependencies: edges('parent-child', 'child') }),
      bead('child', { dependencies: edges('parent-child', 'epic') }),
      bead('epic', { dependencies: edges('blocks', 't') }),
      bead('t'),
    ]
    expect(ids(beads)).toEqual(['t'])
    expect(indexWaiting(beads).blockersOf(0)).toEqual({ kind: 'beads', beads: ['t'], through: 'epic' })
    beads[2] = bead('epic', { ...closed, dependencies: edges('blocks', 't') })
    expect(ids(beads)).toEqual(['child', 'grandchild', 't'])
  })

  test('not while its direct parent is deferred, though a grandparent may be', () => {
    const beads = [
      bead('grandchild', { dependencies: edges('parent-child', 'child') }),
      bead('child', { dependencies: edges('parent-child', 'epic') }),
      bead('epic', { deferUntil: NOW + 1 }),
    ]
    expect(ids(beads)).toEqual(['grandchild'])
  })

  describe('when it fans in (waits-for)', () => {
    const kid = (id: string, patch: Partial<Bead> = {}) =>
      bead(id, { dependencies: edges('parent-child', 's'), ...patch })
    const fan = (metadata?: string) =>
      bead('x', {
        dependencies: [{ dependsOn: 's', type: 'waits-for', ...(metadata === undefined ? {} : { metadata }) }],
      })

    test('not while a child has not ended', () => {
      expect(ids([fan(), bead('s'), kid('a', closed), kid('b')])).not.toContain('x')
      expect(ids([fan(), bead('s'), kid('a', closed), kid('b', closed)])).toContain('x')
      expect(indexWaiting([fan(), kid('a'), bead('s')]).blockersOf(0)).toEqual({
        kind: 'children',
        beads: ['a'],
        through: null,
      })
    })

    test('as soon as one child is closed if any child will do', () => {
      const any = fan('{"gate":"any-children"}')
      expect(ids([any, bead('s'), kid('a'), kid('b')])).not.toContain('x')
      expect(ids([any, bead('s'), kid('a', closed), kid('b')])).toContain('x')
    })

    test('for all children if the metadata is not understood', () => {
      for (const metadata of ['{', 'null', '"any-children"', '{"gate":1}'])
        expect(ids([fan(metadata), bead('s'), kid('a', closed), kid('b')])).not.toContain('x')
    })

    test('even if there are no children', () => {
      expect(ids([fan(), bead('s')])).toContain('x')
    })
  })

  test('in the order of the tracker: priority, newest, id', () => {
    const beads = [
      bead('b', { createdAt: 5 }),
      bead('a', { createdAt: 5 }),
      bead('newer', { createdAt: 6 }),
      bead('urgent', { priority: 0, createdAt: 1 }),
    ]
    expect(ids(beads)).toEqual(['urgent', 'newer', 'a', 'b'])
  })
})

test('wisps, templates and deleted beads are hidden on the board, and nothing else', () => {
  const hidden = [
    bead('a', { ephemeral: true }),
    bead('b', { template: true }),
    bead('c', { trackerStatus: 'tombstone' }),
    bead('bd-wisp-abc'),
  ]
  expect(hidden.filter(hiddenOnBoard)).toEqual(hidden)
  expect([bead('bd-1'), bead('d', closed), bead('e', { pinned: true })].filter(hiddenOnBoard)).toEqual([])
  expect(ids(hidden)).toEqual([])
})

describe('the waiting relation', () => {
  test('is the same wherever a cycle of parents is entered', () => {
    const loop = [
      bead('a', { dependencies: [...edges('parent-child', 'b'), ...edges('parent-child', 'd')] }),
      bead('b', { dependencies: edges('parent-child', 'a') }),
      bead('d', { dependencies: edges('blocks', 't') }),
      bead('t'),
    ]
    for (const beads of [loop, [...loop].reverse()]) expect(ids(beads)).toEqual(['t'])
  })

  longTest('goes down a chain of 100,000 parents', () => {
    const beads = Array.from({ length: 100_000 }, (_, at) =>
      bead(`b-${at}`, { dependencies: at === 0 ? edges('blocks', 't') : edges('parent-child', `b-${at - 1}`) }),
    )
    expect(ids([...beads, bead('t')])).toEqual(['t'])
  })

  test('agrees with a naive form of the rules', () => {
    fc.assert(
      fc.property(graphs, (beads) => {
        const waiting = indexWaiting(beads)
        const expected = naivelyBlocked(beads)
        for (const [at, { id }] of beads.entries()) {
          expect(waiting.positionOf(id)).toBe(at)
          expect([id, waiting.isBlocked(at)]).toEqual([id, expected.has(id)])
          expect(waiting.blockersOf(at) !== null).toBe(expected.has(id))
          expect(waiting.blockersOf(at)?.beads.length).not.toBe(0)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('agrees with the reasons: a bead is ready exactly if there is none', () => {
    fc.assert(
      fc.property(graphs, (beads) => {
        const waiting = indexWaiting(beads)
        for (const [at, one] of beads.entries()) {
          if (one.status === 'done') continue
          expect(whyNotByItself(one, at, waiting, NOW, false) === null).toBe(isReady(one, at, waiting, NOW))
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** Small tangles: every kind of edge, also to itself, in circles and to nowhere. */
const graphs: fc.Arbitrary<Bead[]> = fc
  .array(
    fc.record({
      status: fc.constantFrom('open', 'open', 'in_progress', 'blocked', 'done' as const),
      trackerStatus: fc.constantFrom('open', 'open', 'open', 'closed', 'pinned'),
      deferUntil: fc.constantFrom(null, NOW - 1, NOW + 1),
      type: fc.constantFrom('task', 'task', 'gate'),
      links: fc.array(
        fc.tuple(
          fc.constantFrom('blocks', 'parent-child', 'parent-child', 'waits-for', 'any', 'related'),
          fc.integer({ min: 0, max: 8 }),
        ),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ links, ...row }, at) =>
      bead(`n${at}`, { ...row, dependencies: links.map(([type, to]) => edgeOf(type, to)) }),
    ),
  )

const edgeOf = (type: string, to: number) =>
  type === 'any'
    ? { dependsOn: `n${to}`, type: 'waits-for', metadata: '{"gate":"any-children"}' }
    : { dependsOn: `n${to}`, type }

/** The smallest set that the rules allow, by trying again until nothing changes. */
function naivelyBlocked(beads: Bead[]): Set<string> {
  const byId = new Map(beads.map((one) => [one.id as string, one]))
  const kids = (id: string) =>
    !byId.has(id)
      ? []
      : beads.filter((one) => one.dependencies.some((edge) => edge.type === 'parent-child' && edge.dependsOn === id))
  const unended = (one: Bead | undefined) => one !== undefined && !hasEnded(one)
  const blocked = new Set<string>()
  for (let before = -1; before !== blocked.size;) {
    before = blocked.size
    for (const one of beads.filter(unended)) {
      const held = one.dependencies.some(({ type, dependsOn, metadata }) => {
        if (type === 'parent-child') return blocked.has(dependsOn)
        if (type === 'related') return false
        if (!byId.has(dependsOn)) return true
        if (type === 'blocks') return unended(byId.get(dependsOn))
        const some = kids(dependsOn)
        const one = some.some((kid) => kid.status === 'done')
        return some.some(unended) && !(metadata && one)
      })
      if (held) blocked.add(one.id)
    }
  }
  return blocked
}
