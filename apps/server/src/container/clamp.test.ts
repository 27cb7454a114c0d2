import { expect, test } from 'vitest'
import { clampTo } from './container-config.ts'

const GIB = 1024 ** 3

test('three slots of 8 GiB on a host of 16 are clamped, with a sentence in the execution', () => {
  const granted = clampTo({ cpus: 4, memoryBytes: 16 * GIB, slots: 3 }, { cpus: 1, memoryBytes: 8 * GIB })
  expect(granted.memoryBytes).toBe(5 * GIB)
  expect(granted.clamped).toEqual([
    'asked for 8 GiB of memory, each of 3 slots can have 5 GiB of the 16 GiB that this host has',
  ])
  expect(clampTo({ cpus: 4, memoryBytes: 16 * GIB, slots: 3 }, { cpus: 1, memoryBytes: 4 * GIB }).clamped).toEqual([])
})

test('for a cluster the sentences name its largest node', () => {
  const cluster = { cpus: 1.8, memoryBytes: 6 * GIB, called: 'its largest node' }
  expect(clampTo(cluster, { cpus: 4, memoryBytes: 8 * GIB }).clamped).toEqual([
    'asked for 4 CPUs, its largest node has 1.8',
    'asked for 8 GiB of memory, its largest node has 6 GiB for it',
  ])
})
