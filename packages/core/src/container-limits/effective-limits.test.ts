import { describe, expect, test } from 'vitest'
import { effectiveLimits, type EffectiveLimits } from './effective-limits.ts'
import type { LimitReport } from './limit-report.ts'

const ID = 'a11776d361796d375982cab34616aec3fcf18fc3ee33c32056eb5a67f0d28da6'
const MIB = 1024 ** 2
const NO_LIMIT = '9223372036854771712\n'

const limits = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max file size             17179869184          17179869184          bytes
Max core file size        0                    unlimited            bytes
Max open files            4096                 8192                 files
`
const meminfo = 'MemTotal:       24684084 kB\nSwapTotal:       2097148 kB\n'

const read = (report: Partial<LimitReport>): EffectiveLimits =>
  effectiveLimits({ cgroup: '', mountinfo: '', meminfo, limits: '', files: {}, ...report })

const first = (folder: string, controllers: string): string =>
  `135 134 0:29 ${folder} /sys/fs/cgroup/${controllers} ro,nosuid,nodev,noexec,relatime - cgroup cgroup rw,${controllers}`
const second = (root: string, point = '/sys/fs/cgroup'): string =>
  `607 600 0:26 ${root} ${point} ro,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup rw,nsdelegate`

describe('with cgroup v1', () => {
  const cgroup = `4:memory:/docker/${ID}\n3:pids:/docker/${ID}\n2:cpu,cpuacct:/docker/${ID}\n0::/docker/${ID}\n`
  const mountinfo = [
    `134 133 0:46 / /sys/fs/cgroup rw,nosuid - tmpfs tmpfs rw,mode=755`,
    ...['memory', 'pids', 'cpu,cpuacct'].map((controllers) => first(`/docker/${ID}`, controllers)),
  ].join('\n')
  const files = {
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${512 * MIB}\n`,
    '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes': `${768 * MIB}\n`,
    '/sys/fs/cgroup/pids/pids.max': '64\n',
    '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '150000\n',
    '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
  }

  test('a container of Docker sees its own folder, and the levels above it in the names of the paths', () => {
    expect(read({ cgroup, mountinfo, files, limits })).toEqual({
      memory: 512 * MIB,
      swap: 256 * MIB,
      processes: 64,
      cpus: 1.5,
      openFiles: 8192,
      fileSize: 16 * 1024 ** 3,
      coreSize: Infinity,
    })
  })

  test('the same holds in a cgroup namespace, where the paths are its own', () => {
    const inside = mountinfo.replaceAll(`/docker/${ID} /sys`, '/ /sys')
    expect(read({ cgroup: cgroup.replaceAll(`/docker/${ID}`, '/'), mountinfo: inside, files })).toMatchObject({
      memory: 512 * MIB,
      processes: 64,
    })
  })

  test('a namespace may have a mount from outside', () => {
    const outside = mountinfo.replaceAll(`/docker/${ID} /sys`, '/../.. /sys')
    expect(read({ cgroup, mountinfo: outside, files })).toMatchObject({ memory: 512 * MIB, processes: 64, cpus: 1.5 })
  })

  test('rootless Podman leaves its containers in the cgroup of its service, where nothing is limited', () => {
    const own = '/process_api/6783399d'
    const report = {
      cgroup: `8:pids:/\n4:memory:${own}\n1:cpu:/\n0::/\n`,
      mountinfo: [first('/', 'pids'), first(own, 'memory'), first('/', 'cpu')].join('\n'),
      files: {
        '/sys/fs/cgroup/memory/memory.limit_in_bytes': NO_LIMIT,
        '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes': NO_LIMIT,
        '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
        '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
      },
    }
    expect(read(report)).toMatchObject({ memory: Infinity, processes: Infinity, cpus: Infinity })
    expect(read(report).swap).toBe(2097148 * 1024)
  })

  test('memory alone is limited if the kernel does not count swap: all of the machine’s can be used, if it has some', () => {
    const { '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes': _, ...rest } = files
    expect(read({ cgroup, mountinfo, files: rest }).swap).toBe(2097148 * 1024)
    expect(read({ cgroup, mountinfo, files: rest, meminfo: 'SwapTotal:       0 kB\n' }).swap).toBe(0)
    expect(read({ cgroup, mountinfo, files: rest, meminfo: '' }).swap).toBe(Infinity)
  })
})

describe('with cgroup v2', () => {
  const files = {
    '/sys/fs/cgroup/memory.max': `${512 * MIB}\n`,
    '/sys/fs/cgroup/memory.swap.max': '0\n',
    '/sys/fs/cgroup/pids.max': '64\n',
    '/sys/fs/cgroup/cpu.max': '150000 100000\n',
  }
  const acting = { memory: 512 * MIB, swap: 0, processes: 64, cpus: 1.5 }

  test('a container has a namespace of its own, whose root is its folder', () => {
    expect(read({ cgroup: '0::/\n', mountinfo: second('/'), files })).toMatchObject(acting)
  })

  test('or sees the whole tree, where the smallest limit above it acts', () => {
    const own = `/sys/fs/cgroup/system.slice/docker-${ID}.scope`
    const report = {
      cgroup: `0::/system.slice/docker-${ID}.scope\n`,
      mountinfo: second('/'),
      files: {
        [`${own}/memory.max`]: `${512 * MIB}\n`,
        [`${own}/memory.swap.max`]: 'max\n',
        [`${own}/pids.max`]: 'max\n',
        [`${own}/cpu.max`]: 'max 100000\n',
        '/sys/fs/cgroup/system.slice/memory.max': `${256 * MIB}\n`,
        '/sys/fs/cgroup/system.slice/pids.max': '1000\n',
      },
    }
    expect(read(report)).toMatchObject({ memory: 256 * MIB, processes: 1000, cpus: Infinity, swap: 2097148 * 1024 })
  })

  test('a controller that systemd has not delegated has no files', () => {
    const { '/sys/fs/cgroup/cpu.max': _, ...rest } = files
    expect(read({ cgroup: '0::/\n', mountinfo: second('/'), files: rest })).toMatchObject({ ...acting, cpus: Infinity })
  })
})

describe('with both', () => {
  const mountinfo = [first('/docker/x', 'memory'), second('/docker/x', '/sys/fs/cgroup/unified')].join('\n')
  const files = {
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '1000\n',
    '/sys/fs/cgroup/unified/memory.max': '1\n',
    '/sys/fs/cgroup/unified/pids.max': '64\n',
  }

  test('a controller is where version 1 names it, otherwise in version 2', () => {
    const cgroup = '4:memory:/docker/x\n1:name=systemd:/docker/x\n0::/docker/x\n'
    expect(read({ cgroup, mountinfo, files })).toMatchObject({ memory: 1000, processes: 64, cpus: Infinity })
  })

  test('limits that no mount shows are unknown', () => {
    const cgroup = '4:memory:/docker/x\n3:pids:/docker/x\n0::/docker/x\n'
    expect(read({ cgroup, mountinfo: first('/docker/x', 'pids'), files: {} })).toMatchObject({
      memory: null,
      swap: null,
      processes: Infinity,
      cpus: null,
    })
  })
})

test.each<[string, Partial<LimitReport>]>([
  ['nothing', {}],
  ['no lines', { cgroup: 'x\n::\n0:/\n', mountinfo: '- - -\n1 2\n - cgroup2' }],
  [
    'words for numbers',
    {
      cgroup: '0::/',
      mountinfo: second('/'),
      files: {
        '/sys/fs/cgroup/memory.max': 'much',
        '/sys/fs/cgroup/memory.swap.max': '1e3',
        '/sys/fs/cgroup/pids.max': '-5',
        '/sys/fs/cgroup/cpu.max': '100000 0',
      },
    },
  ],
])('%s is not known', (_, report) => {
  expect(read(report)).toMatchObject({ memory: null, swap: null, processes: null, cpus: null, openFiles: null })
})
