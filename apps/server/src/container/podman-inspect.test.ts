import type { ContainerInspectInfo } from 'dockerode'
import { describe, expect, test } from 'vitest'
import type { InstanceId } from '@beadloom/core/records/ids.ts'
import { containerConfig } from './container-config.ts'
import { inDockersWords, type PodmanInfo } from './podman-inspect.ts'
import { weakerThanAsked } from './weaker.ts'

const asked = containerConfig(
  {
    name: 'beadloom-x',
    image: 'sha256:0',
    labels: { execution: 'ex-0123456789', kind: 'work' },
    network: 'none',
    linkFolder: '/links/x',
    magic: '0'.repeat(32),
    cpus: 1,
    memoryBytes: 1024 ** 3,
    processes: 64,
  },
  { cpus: 1, memoryBytes: 1024 ** 3, clamped: [] },
  { instance: 'in-0123456789' as InstanceId, caBundle: null, logDriver: 'k8s-file' },
)

/** Podman 4.3's own description of that container. */
const told = (changes: object = {}): ContainerInspectInfo =>
  ({
    Config: { User: asked.User },
    Mounts: [{ Type: 'bind', Source: '/links/x', Destination: '/run/beadloom', RW: false }],
    HostConfig: {
      ...asked.HostConfig,
      Binds: ['/links/x:/run/beadloom:ro,rprivate,rbind'],
      CapDrop: ['AUDIT_WRITE', 'CHOWN', 'SYS_CHROOT'],
      IpcMode: 'shareable',
      PidMode: 'private',
      UTSMode: 'private',
      SecurityOpt: ['no-new-privileges'],
      Init: undefined,
      LogConfig: { Type: 'json-file', Config: null },
      Ulimits: (asked.HostConfig.Ulimits ?? []).map((limit) => ({
        ...limit,
        Name: `RLIMIT_${limit.Name?.toUpperCase()}`,
      })),
      ...changes,
    },
  }) as unknown as ContainerInspectInfo

const own = { BoundingCaps: null, HostConfig: { LogConfig: { Type: 'k8s-file' } } } satisfies PodmanInfo
const weaker = (changes: object = {}, podman: PodmanInfo = own) =>
  weakerThanAsked(asked, inDockersWords(told(changes), podman))

describe('a container that Podman made', () => {
  test("is as confined as asked, in Podman's words", () => {
    expect(weaker()).toEqual([])
  })

  test.each<[string, object, PodmanInfo?]>([
    ['CapAdd', {}, { ...own, BoundingCaps: ['CAP_KILL'] }],
    ['CapDrop', {}, { HostConfig: own.HostConfig }],
    ['Binds', { Binds: ['/links/x:/run/beadloom:ro', '/:/host'] }],
    ['PidMode', { PidMode: 'host' }],
    ['UTSMode', { UTSMode: 'host' }],
    ['IpcMode', { IpcMode: 'host' }],
    ['Ulimits.nofile', { Ulimits: [{ Name: 'RLIMIT_NOFILE', Soft: 8192, Hard: 1_048_576 }] }],
    ['LogConfig', {}, { ...own, HostConfig: { LogConfig: { Type: 'none' } } }],
    ['Init', {}, { ...own, HostConfig: { ...own.HostConfig, Init: true } }],
  ])('is refused if it is less confined (%s)', (field, changes, podman) => {
    expect(weaker(changes, podman).join()).toContain(field)
  })

  test.each([
    [['CAP_CHOWN', 'CAP_SETUID'], []],
    [['CAP_CHOWN'], []],
    [['CAP_CHOWN', 'CAP_NET_RAW'], [expect.stringContaining('CapAdd')]],
  ])('for a service keeps the requested settings, and nothing else (%j)', (BoundingCaps, found) => {
    const service = { ...asked, HostConfig: { ...asked.HostConfig, CapAdd: ['CHOWN', 'SETUID'] } }
    expect(weakerThanAsked(service, inDockersWords(told(), { ...own, BoundingCaps }))).toEqual(found)
  })
})
