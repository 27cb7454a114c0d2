// @suite unit-long

import { expect, test } from 'vitest'
import { edges, sampleBead as bead } from './sample-bead.ts'
import { schedule } from './sample-schedule.ts'

test('a project of 100,000 beads is scheduled like small ones', () => {
  const beads = Array.from({ length: 100_000 }, (_, at) =>
    bead(`b-${at}`, { createdAt: at, dependencies: at % 2 === 0 ? [] : edges('blocks', `b-${at - 1}`) }),
  )
  const result = schedule(beads)
  expect(result.enqueue).toHaveLength(1_000)
  expect(result.texts).toMatchObject({ 'b-0': 'starts next', 'b-1': 'waits for b-0', 'b-99999': 'waits for b-99998' })
})
