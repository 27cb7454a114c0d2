import { describe, expect, test } from 'vitest'
import type { EffectiveLimits, ContainerLimits } from './effective-limits.ts'
import { ineffectiveLimits, ineffectiveNote, neededLimits } from './ineffective-limits.ts'

const asked: ContainerLimits = {
  memory: 1024,
  swap: 0,
  processes: 64,
  cpus: 1.5,
  openFiles: 8192,
  fileSize: 1024,
  coreSize: 0,
}

const missing = (changes: Partial<EffectiveLimits>) => ineffectiveLimits(asked, { ...asked, ...changes }, ['cpus'])

describe('a limit does not act', () => {
  test('if it is larger than requested, or missing', () => {
    expect(missing({})).toEqual([])
    expect(missing({ memory: 512, processes: 1, cpus: 1.504 })).toEqual([])
    expect(missing({ memory: 1025, cpus: 2, processes: Infinity, coreSize: Infinity })).toEqual([
      'memory',
      'processes',
      'cpus',
      'coreSize',
    ])
  })

  test('if the engine says it cannot set it, and it is not visible inside', () => {
    expect(missing({ cpus: null, memory: null })).toEqual(['cpus'])
    expect(ineffectiveLimits(asked, null, ['memory', 'swap'])).toEqual(['memory', 'swap'])
  })

  test('unless it is visible inside and acts, whatever the engine says', () => {
    expect(ineffectiveLimits(asked, asked, ['memory', 'swap'])).toEqual([])
  })
})

const rootful = { rootless: false, cgroups: 2 } as const
const rootless = { rootless: true, cgroups: 1 } as const

describe('people are told', () => {
  test('nothing if everything acts', () => {
    expect(ineffectiveNote([], rootless, false)).toBeNull()
  })

  test('which resource is not limited, and what to do about it', () => {
    expect(ineffectiveNote(['memory', 'processes', 'cpus', 'openFiles'], rootless, true)).toBe(
      'not limited in containers: memory, the number of processes, CPU time and open files. A rootless engine limits nothing with cgroup v1: start the machine with cgroup v2 (kernel parameter systemd.unified_cgroup_hierarchy=1), or use an engine that root runs. Files and core dumps: give the service of the engine itself these limits (ulimit)',
    )
    expect(ineffectiveNote(['cpus'], { rootless: true, cgroups: 2 }, false)).toMatch(
      /^not limited .*: CPU time\. .*Delegate=cpu/,
    )
    expect(ineffectiveNote(['swap'], rootful, false)).toMatch(/swapaccount=1/)
    expect(ineffectiveNote(['coreSize'], rootless, false)).not.toMatch(/cgroup/)
  })

  test('that nothing starts, and how to start anyway, unless a person has allowed it', () => {
    expect(ineffectiveNote(['memory', 'swap'], rootful, false)).toMatch(/nothing starts\. .*--allow-unlimited$/)
    expect(ineffectiveNote(['memory', 'swap'], rootful, true)).not.toMatch(/starts/)
    expect(ineffectiveNote(['swap'], rootful, false)).not.toMatch(/starts/)
  })
})

test('a sandbox needs its limits on memory and processes; other missing limits are only reported', () => {
  expect(neededLimits(['memory', 'processes', 'cpus'])).toEqual(['memory', 'processes'])
  expect(neededLimits(['swap', 'cpus', 'openFiles', 'fileSize', 'coreSize'])).toEqual([])
})
