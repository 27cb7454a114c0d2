import { describe, expect, test } from 'vitest'
import { findCycles } from './cycles.ts'
import { edges, sampleBead as bead } from '../testing/sample-bead.ts'
import { longTest } from '../testing/long-test.ts'

const waits = (id: string, ...targets: string[]) => bead(id, { dependencies: edges('blocks', ...targets) })

describe('beads that wait for themselves', () => {
  test('are found as a path that ends where it begins', () => {
    expect(findCycles([waits('a', 'b'), waits('b', 'c'), waits('c', 'a'), waits('d', 'a')])).toEqual([
      ['a', 'b', 'c', 'a'],
    ])
    expect(findCycles([waits('x', 'x')])).toEqual([['x', 'x']])
  })

  test('are found once for each knot, by the shortest way', () => {
    const knot = [waits('a', 'b', 'c'), waits('b', 'c'), waits('c', 'a')]
    expect(findCycles([...knot, waits('y', 'z'), waits('z', 'y')])).toEqual([
      ['a', 'c', 'a'],
      ['y', 'z', 'y'],
    ])
  })

  test('are found across parents: a child whose parent waits for it', () => {
    const child = bead('child', { dependencies: edges('parent-child', 'epic') })
    expect(findCycles([waits('epic', 'child'), child])).toEqual([['epic', 'child', 'epic']])
  })

  test('are not found where there are none, where one has ended, or along edges that do not block', () => {
    expect(findCycles([waits('a', 'b', 'gone'), waits('b', 'c'), waits('c')])).toEqual([])
    expect(findCycles([waits('a', 'b'), bead('b', { status: 'done', dependencies: edges('blocks', 'a') })])).toEqual([])
    const related = (id: string, to: string) => bead(id, { dependencies: edges('related', to) })
    expect(findCycles([related('a', 'b'), related('b', 'a')])).toEqual([])
  })

  longTest('are found in a ring of 100,000 beads, and a chain as long has none', () => {
    const ring = Array.from({ length: 100_000 }, (_, at) => waits(`b-${at}`, `b-${(at + 1) % 100_000}`))
    expect(findCycles(ring)).toHaveLength(1)
    expect(findCycles(ring.slice(1))).toEqual([])
  })
})
