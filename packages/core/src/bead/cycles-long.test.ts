// @suite unit-long

import { expect, test } from 'vitest'
import { findCycles } from './cycles.ts'
import { edges, sampleBead as bead } from '../testing/sample-bead.ts'

const waits = (id: string, ...targets: string[]) => bead(id, { dependencies: edges('blocks', ...targets) })

test('are found in a ring of 100,000 beads, and a chain as long has none', () => {
  const ring = Array.from({ length: 100_000 }, (_, at) => waits(`b-${at}`, `b-${(at + 1) % 100_000}`))
  expect(findCycles(ring)).toHaveLength(1)
  expect(findCycles(ring.slice(1))).toEqual([])
})
