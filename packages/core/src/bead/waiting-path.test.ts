import { expect, test } from 'vitest'
import { parseBeadId } from '../records/ids.ts'
import { waitingPath } from './waiting-path.ts'
import { longTest } from '../testing/long-test.ts'

const bead = (id: string, waitsFor: string[], status: 'open' | 'done' = 'open', type = 'blocks') => ({
  id: parseBeadId(id),
  status,
  trackerStatus: status === 'done' ? 'closed' : 'open',
  dependencies: waitsFor.map((dependsOn) => ({ dependsOn, type })),
})

test('it names the shortest way on which a bead waits for another', () => {
  const beads = [bead('a', ['b', 'x']), bead('b', ['c']), bead('c', []), bead('x', ['y']), bead('y', ['c'])]
  expect(waitingPath(beads, 'a', 'c')).toEqual(['a', 'b', 'c'])
  expect(waitingPath(beads, 'c', 'a')).toBeNull()
})

test('a bead that has ended waits for nothing, and a relation that does not block is no way', () => {
  expect(waitingPath([bead('a', ['b'], 'done'), bead('b', [])], 'a', 'b')).toBeNull()
  expect(waitingPath([bead('a', ['b'], 'open', 'related'), bead('b', [])], 'a', 'b')).toBeNull()
})

longTest('circles and chains of a hundred thousand beads come to an end', () => {
  const chain = Array.from({ length: 100_000 }, (_, at) => bead(`a-${at}`, [`a-${(at + 1) % 100_000}`]))
  expect(waitingPath(chain, 'a-0', 'a-99999')).toHaveLength(100_000)
  expect(waitingPath(chain, 'a-0', 'nowhere')).toBeNull()
})
