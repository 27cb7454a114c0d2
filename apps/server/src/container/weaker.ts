import type Docker from 'dockerode'
import type { ContainerInspectInfo } from 'dockerode'
import { LINK_FOLDER, WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import type { LimitName } from '@beadloom/core/container-limits/effective-limits.ts'

type Asked = Docker.ContainerCreateOptions & { HostConfig: Docker.HostConfig }
type Effective = Pick<ContainerInspectInfo, 'HostConfig' | 'Config' | 'Mounts'>

/**
 * Lists every field in which the container is less confined than requested, each as "Field: asked …, got …". A daemon
 * drops what its kernel cannot do with only a warning, and a proxy in front of it may rewrite anything.
 *
 * @param unshown limits that this daemon shows for no container: `EngineLimits` knows whether they act all the same
 */
export function weakerThanAsked(asked: Asked, got: Effective, unshown: readonly LimitName[] = []): string[] {
  const want = asked.HostConfig
  const have = got.HostConfig
  const found: string[] = []
  const check = (field: string, holds: boolean, wanted: unknown, actual: unknown): void => {
    if (!holds) found.push(`${field}: asked ${JSON.stringify(wanted)}, got ${JSON.stringify(actual ?? null)}`)
  }
  const same = (field: keyof Docker.HostConfig): void =>
    check(field, have[field] === want[field], want[field], have[field])
  const blank = (field: keyof Docker.HostConfig): void => check(field, isBlank(have[field]), 'nothing', have[field])

  if (asked.User !== undefined) check('User', got.Config.User === asked.User, asked.User, got.Config.User)
  if (want.Runtime !== undefined) same('Runtime')
  for (const field of ['Privileged', 'NetworkMode', 'Init', 'AutoRemove'] as const) same(field)
  for (const field of ['Devices', 'DeviceRequests', 'DeviceCgroupRules', 'Binds', 'VolumesFrom'] as const) blank(field)
  for (const field of ['PortBindings', 'PublishAllPorts', 'PidMode', 'UTSMode', 'UsernsMode', 'GroupAdd'] as const)
    blank(field)
  const capabilities = listOf(want.CapAdd)
  check(
    'CapAdd',
    listOf(have.CapAdd).every((name) => capabilities.includes(name.replace(/^CAP_/i, '').toUpperCase())),
    want.CapAdd,
    have.CapAdd,
  )
  check(
    'CapDrop',
    listOf(have.CapDrop).some((name) => /^(CAP_)?ALL$/i.test(name)),
    want.CapDrop,
    have.CapDrop,
  )
  const security = listOf(have.SecurityOpt)
  check(
    'SecurityOpt',
    security.some((option) => /^no-new-privileges([:=]true)?$/.test(option)),
    want.SecurityOpt,
    security,
  )
  check('SecurityOpt', !security.some((option) => /unconfined|disable/.test(option)), want.SecurityOpt, security)
  check('IpcMode', ['private', 'none'].includes(have.IpcMode ?? ''), want.IpcMode, have.IpcMode)
  check('RestartPolicy', ['', 'no'].includes(have.RestartPolicy?.Name ?? ''), want.RestartPolicy, have.RestartPolicy)
  check('OomScoreAdj', (have.OomScoreAdj ?? 0) >= (want.OomScoreAdj ?? 0), want.OomScoreAdj, have.OomScoreAdj)
  check('OomKillDisable', have.OomKillDisable !== true, false, have.OomKillDisable)
  check('LogConfig', have.LogConfig?.Type === want.LogConfig?.Type, want.LogConfig?.Type, have.LogConfig?.Type)
  for (const { limit, field, wanted, actual } of limitsNotTaken(want, have))
    check(field, unshown.includes(limit), wanted, actual)
  // An empty list would expose the kernel's tables to the container; a missing one is from an engine that reports none.
  for (const field of ['MaskedPaths', 'ReadonlyPaths'] as const) {
    check(field, have[field]?.length !== 0, "the engine's own list", have[field])
  }
  found.push(...foreignMounts(asked, got))
  return found
}

/** The limits that an engine does not show as requested. */
export const unshownLimits = (asked: Asked, got: Effective): LimitName[] => [
  ...new Set(limitsNotTaken(asked.HostConfig, got.HostConfig).map(({ limit }) => limit)),
]

type NotTaken = { limit: LimitName; field: string; wanted: unknown; actual: unknown }

function limitsNotTaken(want: Docker.HostConfig, have: Effective['HostConfig']): NotTaken[] {
  const fields = limitFields.flatMap(([limit, field]) =>
    have[field] === want[field] ? [] : [{ limit, field, wanted: want[field], actual: have[field] }],
  )
  const ulimits = (want.Ulimits ?? []).flatMap(({ Name = '', Hard = 0 }) => {
    const limit = ulimitNames[Name]
    const actual = have.Ulimits?.find((one) => one.Name === Name)?.Hard
    const taken = actual !== undefined && actual >= 0 && actual <= Hard
    return taken || !limit ? [] : [{ limit, field: `Ulimits.${Name}`, wanted: Hard, actual }]
  })
  return [...fields, ...ulimits]
}

const limitFields = [
  ['memory', 'Memory'],
  ['swap', 'MemorySwap'],
  ['cpus', 'NanoCpus'],
  ['processes', 'PidsLimit'],
] as const

const ulimitNames: Record<string, LimitName> = {
  nofile: 'openFiles',
  fsize: 'fileSize',
  core: 'coreSize',
  nproc: 'processes',
}

/** Only the link's folder may be mounted, read-only. The image may not put a volume over the workspace. */
function foreignMounts(asked: Asked, got: Effective): string[] {
  const source = asked.HostConfig.Mounts?.[0]?.Source
  const found: string[] = []
  let linked = false
  for (const mount of got.Mounts ?? []) {
    const { Type, Source, Destination, RW } = mount
    if (source !== undefined && Type === 'bind' && Destination === LINK_FOLDER && Source === source && !RW)
      linked = true
    else if (Type !== 'tmpfs' && Type !== 'volume')
      found.push(`Mounts: asked only ${LINK_FOLDER}, got ${Type} ${Source} at ${Destination}${RW ? ', writable' : ''}`)
    else if (Type === 'volume' && `${WORKSPACE}/`.startsWith(`${Destination.replace(/\/$/, '')}/`))
      found.push(
        `Mounts: the image declares a VOLUME at ${Destination}, so the workspace would be lost with its container`,
      )
  }
  if (source !== undefined && !linked) found.push(`Mounts: asked ${LINK_FOLDER} read-only, got none`)
  return found
}

const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0)

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
