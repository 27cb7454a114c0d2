import { expect, test } from 'vitest'
import { moveInGrid } from './grid-move.ts'

const lengths = [2, 0, 5, 1]

test('the first key goes to the first card', () => {
  expect(moveInGrid([0, 0, 3], null, 'down')).toEqual({ column: 2, row: 0 })
  expect(moveInGrid([0, 0], null, 'down')).toBeNull()
})
test('left and right step over empty columns, to the nearest row', () => {
  expect(moveInGrid(lengths, { column: 0, row: 1 }, 'right')).toEqual({ column: 2, row: 1 })
  expect(moveInGrid(lengths, { column: 2, row: 4 }, 'right')).toEqual({ column: 3, row: 0 })
  expect(moveInGrid(lengths, { column: 2, row: 4 }, 'left')).toEqual({ column: 0, row: 1 })
})
test('nothing moves at the edges', () => {
  expect(moveInGrid(lengths, { column: 0, row: 0 }, 'up')).toEqual({ column: 0, row: 0 })
  expect(moveInGrid(lengths, { column: 0, row: 0 }, 'left')).toEqual({ column: 0, row: 0 })
  expect(moveInGrid(lengths, { column: 2, row: 4 }, 'down')).toEqual({ column: 2, row: 4 })
  expect(moveInGrid(lengths, { column: 3, row: 0 }, 'right')).toEqual({ column: 3, row: 0 })
})
