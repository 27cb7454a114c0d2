import { expect, test } from 'vitest'
import { slotsBesideChecks, slotsOn } from './capacity.ts'

const GIB = 1024 ** 3

test('sandboxes fit on machines one by one: leftovers of two machines do not make a third place', () => {
  const machines = [
    { cpus: 6, memoryBytes: 64 * GIB },
    { cpus: 6, memoryBytes: 20 * GIB },
  ]
  expect(slotsOn(machines, { cpus: 4, memoryBytes: 8 * GIB })).toBe(2)
  expect(slotsOn(machines, { cpus: 1, memoryBytes: 8 * GIB })).toBe(8)
})

test('a sandbox that is larger than any machine gets one, and without machines there is none', () => {
  expect(slotsOn([{ cpus: 2, memoryBytes: GIB }], { cpus: 4, memoryBytes: 8 * GIB })).toBe(1)
  expect(slotsOn([], { cpus: 1, memoryBytes: GIB })).toBe(0)
})

test('a cluster of unknown size has as many places as were tried', () => {
  expect(slotsOn([{ cpus: 1e9, memoryBytes: 1024 ** 5 }], { cpus: 1, memoryBytes: GIB })).toBe(10_000)
})

test('a sandbox that requests a part of its limits leaves room for others, beside its companions', () => {
  const machines = [{ cpus: 1.9, memoryBytes: 6 * GIB }]
  const beside = { cpus: 0.01, memoryBytes: GIB / 16 }
  const size = { cpus: 1.8, memoryBytes: 5 * GIB }
  const asked = (cpus: number, memory: number) =>
    slotsOn(machines, size, { part: { cpus, memoryBytes: memory }, beside })
  expect([asked(1, 1), asked(0.5, 0.5), asked(0.5, 0.3), asked(0.1, 0.1), asked(0.3, 0.1)]).toEqual([1, 2, 2, 10, 3])
})

test('a machine with a limited number of places has no more of them, however small sandboxes are', () => {
  const machines = [{ cpus: 64, memoryBytes: 64 * GIB, places: 40 }]
  expect(slotsOn(machines, { cpus: 1, memoryBytes: GIB })).toBe(40)
})

test('if a sandbox waits for a place, some are left for checks, and one agent works however few there are', () => {
  expect([0, 1, 2, 3, 4, 6, 40, 10_000].map(slotsBesideChecks)).toEqual([0, 1, 1, 2, 3, 4, 30, 7_500])
})
