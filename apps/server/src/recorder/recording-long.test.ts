// @suite unit-long

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutputFrame } from '../ports/sandbox.ts'
import { Desk, out } from './testing.ts'

let desk: Desk
beforeEach(() => {
  desk = new Desk()
})
afterEach(() => desk.remove())

test('keeps of 200 MB the beginning and the end, and says what is missing', async () => {
  desk.remove()
  desk = new Desk({ logBytes: 100_000, tailBytes: 1000 })
  const line = (number: number) => `${String(number).padStart(9, '0')} ${'x'.repeat(89)}\n`
  const chunk = 1000
  async function* flood(): AsyncIterable<OutputFrame> {
    for (let number = 0; number < 2_000_000; number += chunk)
      yield out(Array.from({ length: chunk }, (_, index) => line(number + index)).join(''))
  }
  const recorded = await desk.record(flood())
  const got = desk.text.split('\n')
  expect(got.slice(0, 1000).every((text, index) => `${text}\n` === line(index))).toBe(true)
  expect(got[1000]).toMatch(/^! this log has reached 100000 bytes/)
  expect(got[1001]).toBe(`! ${recorded.droppedBytes} bytes were left out here`)
  expect(got.slice(1002)).toEqual([...Array.from({ length: 10 }, (_, index) => line(1_999_990 + index).trimEnd()), ''])
  expect(recorded.droppedBytes).toBe(200_000_000 - 100_000 - 1000)
  expect(recorded.lines).toBe(got.length - 1)
})

test('arrives in linear time as one 50 MB line, split where it is too long', async () => {
  const chunk = Buffer.alloc(50_000, 97)
  await desk.record(Array.from({ length: 1000 }, () => out(chunk)))
  const got = desk.text.split('\n')
  expect(got).toHaveLength(Math.ceil(50_000_000 / 1024 ** 2) + 1)
  expect(got[0]).toBe(`${'a'.repeat(1024 ** 2)} …↩`)
  expect(desk.text.replaceAll(' …↩\n', '').length).toBe(50_000_001)
})
