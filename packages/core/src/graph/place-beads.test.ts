import { expect, test } from 'vitest'
import { layersOf, type Arrow } from './layers.ts'
import { box, placeBeads } from './place-beads.ts'

const arrows = (...pairs: string[]): Arrow[] => pairs.map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '' }))
const columnOf = (id: string, ids: string[], all: Arrow[]): number =>
  layersOf(ids, all).columns.findIndex((column) => column.includes(id))

test('a bead is to the right of everything that it waits for', () => {
  const ids = ['d', 'c', 'b', 'a']
  const all = arrows('ab', 'bc', 'ac', 'cd', 'ad')
  expect(ids.map((id) => columnOf(id, ids, all))).toEqual([3, 2, 1, 0])
})

test('an edge over several columns has a way of its own through them', () => {
  const { ways } = layersOf(['a', 'b', 'c', 'd'], arrows('ab', 'bc', 'cd', 'ad'))
  expect(ways.at(-1)?.through).toHaveLength(4)
  const { lines, at } = placeBeads(['a', 'b', 'c', 'd'], arrows('ab', 'bc', 'cd', 'ad'))
  const points = (lines.at(-1)?.points ?? []).slice(1, -1)
  for (const id of ['b', 'c']) {
    const y = at.get(id)?.y ?? 0
    expect(points.filter((point) => point.y > y && point.y < y + box.height)).toEqual([])
  }
})

test('a cycle is drawn with one edge backwards', () => {
  const { ways, columns } = layersOf(['a', 'b', 'c'], arrows('ab', 'bc', 'ca', 'aa'))
  expect(columns).toEqual([['a'], ['b'], ['c']])
  expect(ways.filter(({ isBack }) => isBack).map(({ arrow }) => arrow)).toEqual(arrows('ca'))
})

test('two pairs that would cross are drawn without a crossing', () => {
  const { columns } = layersOf(['a', 'b', 'x', 'y'], arrows('ay', 'bx'))
  expect(columns).toEqual([
    ['a', 'b'],
    ['y', 'x'],
  ])
})

test('boxes never overlap, nothing is outside of the picture, and the same beads give the same picture', () => {
  // A graph with many random edges, from a small generator of numbers.
  let seed = 7
  const chance = (most: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % most
  const ids = Array.from({ length: 120 }, (_, at) => `n${at}`)
  const all = Array.from({ length: 240 }, () => ({ from: `n${chance(120)}`, to: `n${chance(120)}` }))
  const placed = placeBeads(ids, all)
  const boxes = [...placed.at.values()]
  for (const [at, one] of boxes.entries()) {
    expect(one.x >= 0 && one.y >= 0 && one.x + box.width <= placed.width && one.y + box.height <= placed.height).toBe(
      true,
    )
    for (const other of boxes.slice(at + 1))
      expect(Math.abs(one.x - other.x) >= box.width || Math.abs(one.y - other.y) >= box.height).toBe(true)
  }
  expect(placeBeads(ids, all)).toEqual(placed)
})

test('unconnected parts are apart: the largest part first, small ones beside each other', () => {
  const { at } = placeBeads(['p', 'q', 'a', 'b', 'c', 'x', 'y'], arrows('pq', 'ab', 'bc', 'xy'))
  const y = (id: string): number => at.get(id)?.y ?? -1
  const x = (id: string): number => at.get(id)?.x ?? -1
  expect([y('a'), y('b'), y('c')]).toEqual([16, 16, 16])
  expect(y('p')).toBeGreaterThan(y('a') + box.height)
  expect([y('q'), y('x'), y('y')]).toEqual([y('p'), y('p'), y('p')])
  expect(x('x')).toBeGreaterThan(x('q') + box.width)
})

test('a chain of 5,000 beads is placed, and no beads give a picture of no size', () => {
  const ids = Array.from({ length: 5_000 }, (_, at) => `${at}`)
  const all = ids.slice(1).map((to, at) => ({ from: `${at}`, to }))
  expect(layersOf(ids, all).columns).toHaveLength(5_000)
  expect(placeBeads([], [])).toMatchObject({ width: 0, lines: [] })
})
