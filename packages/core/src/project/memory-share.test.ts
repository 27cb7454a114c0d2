import { expect, test } from 'vitest'
import { memoryNote, shareOf, tightMemory } from './memory-share.ts'

const GIB = 1024 ** 3

test('all slots together leave the host a gibibyte', () => {
  expect(shareOf(16 * GIB, 3)).toBe(5 * GIB)
  expect(shareOf(64 * GIB, 3)).toBe(21 * GIB)
  expect(shareOf(4 * GIB, 1)).toBe(3.5 * GIB)
})

test('three slots of 8 GiB on a host of 16 lead to a warning', () => {
  expect(tightMemory(16 * GIB, 3)).toBe(
    '3 slots with 8 GiB each (limits.memoryMb, by default) are more than this host has (16 GiB): each container gets at most 5 GiB; use fewer slots to give each one more',
  )
  expect(tightMemory(25 * GIB, 3)).toBeNull()
})

test('a project is told how much its containers get, why, and what to do', () => {
  const host = { engine: null, memoryBytes: 16 * GIB, slots: 3 }
  expect(memoryNote(host, 8 * GIB)).toBe(
    'Each container gets 5 GiB, not 8 GiB: 3 slots share the 16 GiB of the host. For more, start the server with fewer slots (--slots).',
  )
  expect(memoryNote({ ...host, memoryBytes: 4 * GIB, slots: 1 }, 8 * GIB)).toMatch(/3.5 GiB, not 8 GiB.*larger host/)
  expect(memoryNote(host, 4 * GIB)).toBeNull()
  expect(memoryNote({ ...host, memoryBytes: 0 }, 8 * GIB)).toBeNull() // Docker has not answered yet
})

test('on another engine the numbers are that one’s machines and slots', () => {
  expect(memoryNote({ engine: 'build-box', memoryBytes: 16 * GIB, slots: 20 }, 8 * GIB)).toBe(
    'Each container gets 0.8 GiB, not 8 GiB: 20 slots share the 16 GiB of build-box. For more, give it fewer "slots" in config.json.',
  )
  expect(memoryNote({ engine: 'cluster', memoryBytes: 6 * GIB, slots: null }, 8 * GIB)).toBe(
    'Each container gets 6 GiB, not 8 GiB: no machine of cluster has more. For more, use a larger one.',
  )
  expect(memoryNote({ engine: 'cluster', memoryBytes: 8 * GIB, slots: null }, 8 * GIB)).toBeNull()
})
