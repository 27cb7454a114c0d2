import type { ContainerInspectInfo } from 'dockerode'
import { describe, expect, test } from 'vitest'
import { parseInstanceId } from '@beadloom/core/records/ids.ts'
import type { LimitName } from '@beadloom/core/container-limits/effective-limits.ts'
import { clampTo, containerConfig } from './container-config.ts'
import { weakerThanAsked } from './weaker.ts'

const spec = {
  name: 'x',
  image: 'sha256:0',
  labels: { execution: 'ex-0123456789', kind: 'work' },
  network: 'none',
  linkFolder: '/links/x',
  magic: '0'.repeat(32),
  cpus: 2,
  memoryBytes: 1024 ** 3,
  processes: 64,
} as const
const instance = parseInstanceId('in-aaaaaaaaaaaa')
const asked = containerConfig(spec, clampTo({ cpus: 8, memoryBytes: 64 * 1024 ** 3 }, spec), {
  instance,
  caBundle: null,
})

type Effective = {
  HostConfig: Record<string, unknown>
  Config: Record<string, unknown>
  Mounts: Record<string, unknown>[]
}

/** Compares the request with an obedient daemon's container, changed by `change`. */
function weaker(change: (got: Effective) => void, unshown: LimitName[] = []): string[] {
  const got: Effective = {
    HostConfig: { ...structuredClone(asked.HostConfig), MaskedPaths: ['/proc/kcore'], ReadonlyPaths: ['/proc/sys'] },
    Config: { User: '1000:1000' },
    Mounts: [{ Type: 'bind', Source: '/links/x', Destination: '/run/beadloom', RW: false }],
  }
  change(got)
  return weakerThanAsked(asked, got as unknown as ContainerInspectInfo, unshown)
}

describe('weakerThanAsked', () => {
  test('finds nothing if the daemon did as asked', () => {
    expect(weaker(() => {})).toEqual([])
  })

  const changes: [string, Record<string, unknown>][] = [
    ['Privileged', { Privileged: true }],
    ['CapDrop', { CapDrop: ['NET_RAW'] }],
    ['CapAdd', { CapAdd: ['SYS_ADMIN'] }],
    ['SecurityOpt', { SecurityOpt: [] }],
    ['SecurityOpt', { SecurityOpt: ['no-new-privileges:true', 'seccomp=unconfined'] }],
    ['SecurityOpt', { SecurityOpt: ['no-new-privileges:false'] }],
    ['NetworkMode', { NetworkMode: 'host' }],
    ['PidMode', { PidMode: 'host' }],
    ['IpcMode', { IpcMode: 'host' }],
    ['UsernsMode', { UsernsMode: 'host' }],
    ['Memory', { Memory: 0 }],
    ['MemorySwap', { MemorySwap: -1 }],
    ['NanoCpus', { NanoCpus: 0 }],
    ['PidsLimit', { PidsLimit: null }],
    ['Init', { Init: null }],
    ['Devices', { Devices: [{ PathOnHost: '/dev/sda' }] }],
    ['Binds', { Binds: ['/:/host'] }],
    ['RestartPolicy', { RestartPolicy: { Name: 'always' } }],
    ['LogConfig', { LogConfig: { Type: 'json-file' } }],
    ['OomScoreAdj', { OomScoreAdj: -1000 }],
    [
      'Ulimits.core',
      {
        Ulimits: [
          { Name: 'nofile', Hard: 8192 },
          { Name: 'fsize', Hard: 1 },
        ],
      },
    ],
    [
      'Ulimits.nofile',
      {
        Ulimits: [
          { Name: 'nofile', Hard: -1 },
          { Name: 'fsize', Hard: 1 },
          { Name: 'core', Hard: 0 },
        ],
      },
    ],
    ['MaskedPaths', { MaskedPaths: [] }],
  ]
  test.each(changes)('names %s when it is %o', (field, change) => {
    const found = weaker((got) => Object.assign(got.HostConfig, change))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^${field}: asked .*, got `))
  })

  test('names a runtime other than the requested one, and takes any if none was requested', () => {
    const withRuntime = (Runtime: string | undefined) =>
      weakerThanAsked({ ...asked, HostConfig: { ...asked.HostConfig, Runtime: 'runsc' } }, {
        HostConfig: { ...asked.HostConfig, Runtime },
        Config: { User: '1000:1000' },
        Mounts: [{ Type: 'bind', Source: '/links/x', Destination: '/run/beadloom', RW: false }],
      } as unknown as ContainerInspectInfo)
    expect(withRuntime('runsc')).toEqual([])
    expect(withRuntime('runc')).toEqual(['Runtime: asked "runsc", got "runc"'])
    expect(withRuntime(undefined)).toEqual(['Runtime: asked "runsc", got null'])
    expect(weaker((got) => (got.HostConfig['Runtime'] = 'runc'))).toEqual([])
  })

  test('names the user', () => {
    expect(weaker((got) => (got.Config['User'] = ''))).toEqual(['User: asked "1000:1000", got ""'])
  })

  test('names a folder of the host that nobody asked for, and a link that may be written', () => {
    expect(weaker((got) => got.Mounts.push({ Type: 'bind', Source: '/', Destination: '/host', RW: true }))).toEqual([
      'Mounts: asked only /run/beadloom, got bind / at /host, writable',
    ])
    expect(weaker((got) => (got.Mounts[0]!['RW'] = true))).toHaveLength(2)
  })

  test('refuses a volume that would swallow the workspace, not one elsewhere', () => {
    const volume = (at: string) =>
      weaker((got) => got.Mounts.push({ Type: 'volume', Source: '/v', Destination: at, RW: true }))
    expect(volume('/data')).toEqual([])
    expect(volume('/workspace')[0]).toMatch(/VOLUME at \/workspace/)
  })

  test('does not fail each container for limits that the engine shows on none', () => {
    const swap = (got: Effective) => Object.assign(got.HostConfig, { MemorySwap: -1 })
    expect(weaker(swap, ['swap'])).toEqual([])
    expect(weaker(swap, ['memory', 'processes', 'cpus'])).toHaveLength(1)
    const nothing = { Memory: 0, MemorySwap: 0, NanoCpus: 0, PidsLimit: 0, Ulimits: [] }
    const all = ['memory', 'swap', 'processes', 'cpus', 'openFiles', 'fileSize', 'coreSize'] as const
    expect(weaker((got) => Object.assign(got.HostConfig, nothing), [...all])).toEqual([])
  })
})

describe('clampTo', () => {
  test('leaves limits alone that the host can meet', () => {
    expect(clampTo({ cpus: 4, memoryBytes: 1024 ** 3 }, { cpus: 0.5, memoryBytes: 1024 ** 3 })).toEqual({
      cpus: 0.5,
      memoryBytes: 1024 ** 3,
      clamped: [],
    })
  })
})

describe('containerConfig', () => {
  test('gives a proxy only to a container with network', () => {
    const proxy = { HTTP_PROXY: 'http://user:secret@proxy:3128' }
    const env = (network: 'none' | 'bridge') =>
      containerConfig({ ...spec, network }, clampTo({ cpus: 1, memoryBytes: 1 }, spec), {
        instance,
        caBundle: null,
        proxy,
      }).Env
    expect(env('bridge')).toContain('HTTP_PROXY=http://user:secret@proxy:3128')
    expect(env('none')?.join()).not.toContain('PROXY')
  })
})
