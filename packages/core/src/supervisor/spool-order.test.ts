import { expect, test } from 'vitest'
import { formatOrder, headsFor, parseOrder, parseOrderName } from './spool-order.ts'

const records = [
  ...headsFor('stdout', 5, 40_000),
  { kind: 'note' as const, at: 6, length: 3, payload: new Uint8Array([1, 2, 3]) },
  ...headsFor('stderr', 7, 1),
]

test('an order is read unchanged, and up to where it was cut off', () => {
  const bytes = formatOrder(records)
  expect(parseOrder(bytes)).toEqual({ records, length: bytes.length })
  expect(parseOrder(bytes.subarray(0, bytes.length - 1)).records).toEqual(records.slice(0, -1))
  expect(parseOrder(bytes.subarray(0, 3 * 11 + 12)).records).toEqual(records.slice(0, 3)) // half a note
  expect(parseOrder(new Uint8Array(100))).toEqual({ records: [], length: 0 })
})

test('long output becomes records of at most 16 KiB', () => {
  expect(headsFor('stdout', 1, 40_000).map(({ length }) => length)).toEqual([16_384, 16_384, 7232])
  expect(headsFor('stdout', 1, 0)).toEqual([])
})

test('only names of orders are taken for orders', () => {
  expect(parseOrderName('order.12')).toEqual({ cutting: false, offset: 12 })
  expect(parseOrderName('cutting.0')).toEqual({ cutting: true, offset: 0 })
  for (const name of ['order.', 'order.-1', 'order.1x', 'stdout', 'order.9999999999999999']) {
    expect(parseOrderName(name)).toBeNull()
  }
})
