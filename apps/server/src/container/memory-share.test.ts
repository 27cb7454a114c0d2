import { expect, test } from 'vitest'
import { clampTo } from './container-config.ts'
import { shareOf, tightMemory } from './memory-share.ts'

const GIB = 1024 ** 3

test('all slots together leave the host a gibibyte', () => {
  expect(shareOf(16 * GIB, 3)).toBe(5 * GIB)
  expect(shareOf(64 * GIB, 3)).toBe(21 * GIB)
  expect(shareOf(4 * GIB, 1)).toBe(3.5 * GIB)
})

test('three slots of 8 GiB on a host of 16 are said', () => {
  expect(tightMemory(16 * GIB, 3)).toBe(
    '3 slots with 8 GiB each (limits.memoryMb, by default) are more than this host has (16 GiB): each container gets at most 5 GiB; use fewer slots to give each one more',
  )
  expect(tightMemory(25 * GIB, 3)).toBeNull()
})

test('and clamped, with a sentence in the execution', () => {
  const granted = clampTo({ cpus: 4, memoryBytes: 16 * GIB, slots: 3 }, { cpus: 1, memoryBytes: 8 * GIB })
  expect(granted.memoryBytes).toBe(5 * GIB)
  expect(granted.clamped).toEqual([
    'asked for 8 GiB of memory, each of 3 slots can have 5 GiB of the 16 GiB that this host has',
  ])
  expect(clampTo({ cpus: 4, memoryBytes: 16 * GIB, slots: 3 }, { cpus: 1, memoryBytes: 4 * GIB }).clamped).toEqual([])
})
