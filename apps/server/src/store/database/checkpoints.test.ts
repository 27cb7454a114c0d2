import { expect, test } from 'vitest'
import { Checkpoints } from './checkpoints.ts'
import type { InPlace } from './in-place.ts'
import type { Patience } from './patience.ts'

test('a log that cannot be looked at is reported, and fails no write: it is stored already', () => {
  const told: unknown[] = []
  const checkpoints = new Checkpoints('x'.repeat(5_000), {} as Patience, {} as InPlace, (error) => told.push(error))
  for (let commit = 0; commit < 64; commit++) checkpoints.committed()
  expect(told).toEqual([expect.objectContaining({ code: 'ENAMETOOLONG' })])
})
