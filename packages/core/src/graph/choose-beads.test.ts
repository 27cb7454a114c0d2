import { expect, test } from 'vitest'
import { heldUpBy, indexGraph, type GraphBead, type WaitEdge } from './bead-graph.ts'
import { chooseBeads, MOST_AT_FIRST, MOST_DRAWN, topHolders } from './choose-beads.ts'
import { heldCounts } from './held-up.ts'

const bead = (id: string, status: GraphBead['status'] = 'open'): GraphBead => ({
  id,
  status,
  trackerStatus: 'open',
  priority: 2,
})
const chain = (...ids: string[]): WaitEdge[] =>
  ids.slice(1).map((id, at) => ({ bead: id, on: ids[at] ?? '', type: 'blocks' }))
const none = { focus: null, opened: new Set<string>(), ended: false, held: new Map<string, number>() }

test('a focused bead shows those at most two steps away, in both directions', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const graph = indexGraph(
    ids.map((id) => bead(id)),
    chain(...ids),
  )
  expect(chooseBeads(graph, { ...none, focus: 'd' }).ids.toSorted()).toEqual(['b', 'c', 'd', 'e', 'f'])
  const further = chooseBeads(graph, { ...none, focus: 'd', opened: new Set(['f']) })
  expect(further.ids.toSorted()).toEqual(['b', 'c', 'd', 'e', 'f', 'g'])
})

test('without a focus all open beads that wait or are waited for are shown, and no others', () => {
  const graph = indexGraph(
    [bead('a', 'done'), bead('b'), bead('c'), bead('alone'), bead('last')],
    [...chain('a', 'b', 'c'), ...chain('a', 'last')],
  )
  expect(chooseBeads(graph, none)).toEqual({ ids: ['b', 'c'], left: 0 })
  expect(chooseBeads(graph, { ...none, ended: true }).ids).toEqual(['a', 'b', 'c', 'last'])
})

test('an ended bead in focus is drawn, and missing ones are not', () => {
  const graph = indexGraph([bead('a', 'done'), bead('b')], chain('a', 'b'))
  expect(chooseBeads(graph, { ...none, focus: 'a' }).ids).toEqual(['a', 'b'])
  expect(chooseBeads(graph, { ...none, focus: 'nobody' })).toEqual({ ids: [], left: 0 })
})

test('if there are too many to draw, those that most others wait for are drawn, and the rest is counted', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => `n${String(at).padStart(4, '0')}`)
  const graph = indexGraph(
    [...many, 'root'].map((id) => bead(id)),
    many.flatMap((id) => chain('root', id)),
  )
  const { ids, left } = chooseBeads(graph, { ...none, held: heldCounts(graph) })
  expect([ids[0], ids.length, left]).toEqual(['root', MOST_DRAWN, 701])
})

test('in a project that is too large, every dependency of a drawn bead is drawn as well', () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `n${String(at).padStart(4, '0')}`)
  const edges = many.flatMap((id, at) => (at === 0 ? [] : chain(many[Math.floor((at * 7) / 11)] ?? '', id)))
  const graph = indexGraph(
    many.map((id) => bead(id)),
    edges,
  )
  const { ids } = chooseBeads(graph, { ...none, held: heldCounts(graph) }, MOST_AT_FIRST)
  expect(ids).toHaveLength(MOST_AT_FIRST)
  expect(ids.flatMap((id) => graph.waitsFor.get(id) ?? []).filter((id) => !ids.includes(id))).toEqual([])
})

test('a marked chain is drawn first', () => {
  const graph = indexGraph(
    ['root', 'x', 'y', 'z', 'p', 'q'].map((id) => bead(id)),
    [...chain('root', 'x'), ...chain('root', 'y'), ...chain('root', 'z'), ...chain('p', 'q')],
  )
  const held = heldCounts(graph)
  expect(chooseBeads(graph, { ...none, held }, 3).ids).toEqual(['root', 'p', 'q'])
  expect(chooseBeads(graph, { ...none, held, first: ['p', 'q'] }, 3).ids).toEqual(['p', 'q', 'root'])
})

test('the beads that hold up the most are named with their number', () => {
  const graph = indexGraph(
    ['a', 'b', 'c', 'd', 'e'].map((id) => bead(id)),
    [...chain('a', 'b', 'c'), ...chain('d', 'e')],
  )
  expect(topHolders(heldCounts(graph), 2)).toEqual([
    { id: 'a', held: 2 },
    { id: 'b', held: 1 },
  ])
})

test('the counts of held-up beads agree with a search one by one, with cycles and ended beads', () => {
  let seed = 11
  const chance = (most: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % most
  const ids = Array.from({ length: 150 }, (_, at) => `n${at}`)
  const graph = indexGraph(
    ids.map((id, at) => bead(id, at % 7 === 0 ? 'done' : 'open')),
    Array.from({ length: 260 }, () => chain(`n${chance(150)}`, `n${chance(150)}`)).flat(),
  )
  const counts = heldCounts(graph)
  for (const id of ids) expect([id, counts.get(id) ?? 0]).toEqual([id, heldUpBy(graph, id).length])
  expect([...counts.values()].some((count) => count > 20)).toBe(true)
})
