import { expect, test } from 'vitest'
import {
  ancestorsOf,
  cyclesOf,
  heldUpBy,
  indexGraph,
  longestChain,
  type GraphBead,
  type WaitEdge,
} from './bead-graph.ts'

const bead = (id: string, status: GraphBead['status'] = 'open'): GraphBead => ({
  id,
  status,
  trackerStatus: status === 'done' ? 'closed' : 'open',
  priority: 2,
})
const waits = (id: string, ...on: string[]): WaitEdge[] => on.map((other) => ({ bead: id, on: other, type: 'blocks' }))

test('a bead holds up all that wait for it, directly or not, and no ended ones', () => {
  const graph = indexGraph(['a', 'b', 'c', 'd'].map((id) => bead(id)).concat(bead('e', 'done')), [
    ...waits('b', 'a'),
    ...waits('c', 'b'),
    ...waits('d', 'c', 'a'),
    ...waits('e', 'a'),
  ])
  expect(heldUpBy(graph, 'a')).toEqual(['b', 'd', 'c'])
  expect(heldUpBy(graph, 'd')).toEqual([])
  expect(heldUpBy(graph, 'e')).toEqual([])
  expect(ancestorsOf(graph, 'd')).toEqual(['c', 'a', 'b'])
})

test('an ended bead no longer holds up anything', () => {
  const graph = indexGraph([bead('a', 'done'), bead('b')], waits('b', 'a'))
  expect(heldUpBy(graph, 'a')).toEqual([])
  expect(longestChain(graph)).toEqual([])
})

test('an epic waits for its children', () => {
  const graph = indexGraph([bead('epic'), bead('one')], [{ bead: 'one', on: 'epic', type: 'parent-child' }])
  expect(heldUpBy(graph, 'one')).toEqual(['epic'])
})

test('a missing bead is named, and a repeated edge counts once', () => {
  const graph = indexGraph([bead('a'), bead('b')], [...waits('a', 'gone', 'b', 'b'), ...waits('nobody', 'a')])
  expect(graph.waitsFor.get('a')).toEqual(['b'])
  expect([...graph.missing]).toEqual(['gone'])
})

test('the longest chain is of open beads, the first one first, and the same whatever the order of the beads', () => {
  const edges = [...waits('b', 'a'), ...waits('c', 'b'), ...waits('z', 'y'), ...waits('y', 'x'), ...waits('c', 'done')]
  const beads = ['a', 'b', 'c', 'x', 'y', 'z'].map((id) => bead(id)).concat(bead('done', 'done'))
  expect(longestChain(indexGraph(beads, edges))).toEqual(['a', 'b', 'c'])
  expect(longestChain(indexGraph(beads.toReversed(), edges.toReversed()))).toEqual(['a', 'b', 'c'])
})

test('a cycle is named as a path, is in no chain, and ends every search', () => {
  const edges = [...waits('a', 'b'), ...waits('b', 'a'), ...waits('c', 'a'), ...waits('e', 'd')]
  const beads = ['a', 'b', 'c', 'd', 'e'].map((id) => bead(id))
  const graph = indexGraph(beads, edges)
  expect(cyclesOf(beads, edges)).toEqual([['a', 'b', 'a']])
  expect(longestChain(graph)).toEqual(['d', 'e'])
  expect(heldUpBy(graph, 'a')).toEqual(['b', 'c'])
  expect(ancestorsOf(graph, 'a')).toEqual(['b'])
})
