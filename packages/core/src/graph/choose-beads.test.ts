import { expect, test } from 'vitest'
import { indexGraph, type GraphBead, type WaitEdge } from './bead-graph.ts'
import { chooseBeads, MOST_DRAWN, topHolders } from './choose-beads.ts'

const bead = (id: string, status: GraphBead['status'] = 'open'): GraphBead => ({
  id,
  status,
  trackerStatus: 'open',
  priority: 2,
})
const chain = (...ids: string[]): WaitEdge[] =>
  ids.slice(1).map((id, at) => ({ bead: id, on: ids[at] ?? '', type: 'blocks' }))
const none = { focus: null, opened: new Set<string>(), ended: false }

test('around a bead are those at most two steps away, in both directions', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const graph = indexGraph(
    ids.map((id) => bead(id)),
    chain(...ids),
  )
  expect(chooseBeads(graph, { ...none, focus: 'd' }).ids.toSorted()).toEqual(['b', 'c', 'd', 'e', 'f'])
  const further = chooseBeads(graph, { ...none, focus: 'd', opened: new Set(['f']) })
  expect(further.ids.toSorted()).toEqual(['b', 'c', 'd', 'e', 'f', 'g'])
})

test('without a focus are all open beads that wait or are waited for, and no others', () => {
  const graph = indexGraph(
    [bead('a', 'done'), bead('b'), bead('c'), bead('alone'), bead('last')],
    [...chain('a', 'b', 'c'), ...chain('a', 'last')],
  )
  expect(chooseBeads(graph, none)).toEqual({ ids: ['b', 'c'], left: 0 })
  expect(chooseBeads(graph, { ...none, ended: true }).ids).toEqual(['a', 'b', 'c', 'last'])
})

test('an ended bead in focus is drawn, and those that do not exist are not', () => {
  const graph = indexGraph([bead('a', 'done'), bead('b')], chain('a', 'b'))
  expect(chooseBeads(graph, { ...none, focus: 'a' }).ids).toEqual(['a', 'b'])
  expect(chooseBeads(graph, { ...none, focus: 'nobody' })).toEqual({ ids: [], left: 0 })
})

test('of more than can be drawn, those that most others wait for are, and the rest is counted', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `n${String(at).padStart(4, '0')}`)
  const graph = indexGraph(
    [...many, 'root'].map((id) => bead(id)),
    many.flatMap((id) => chain('root', id)),
  )
  const { ids, left } = chooseBeads(graph, none)
  expect([ids[0], ids.length, left]).toEqual(['root', MOST_DRAWN, 701])
})

test('the beads that hold up the most are named with how many', () => {
  const graph = indexGraph(
    ['a', 'b', 'c', 'd', 'e'].map((id) => bead(id)),
    [...chain('a', 'b', 'c'), ...chain('d', 'e')],
  )
  expect(topHolders(graph, 2)).toEqual([
    { id: 'a', held: 2 },
    { id: 'b', held: 1 },
  ])
})
