import { gib, tightMemory } from '@beadloom/core/execution/memory-share.ts'
import type { Check } from '@beadloom/core/api/server-api.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError, type EngineHealth } from '../ports/engine.ts'
import { systemClock } from '../process/clock.ts'
import type { LogDriver } from './container-config.ts'
import { DockerClient } from './docker-client.ts'
import { limitFacts, type LimitFacts, type LimitInfo } from './limits/limit-facts.ts'

/** The fields of Docker's `info` that we read. Any may be missing: engines that only resemble Docker leave some out. */
type DockerInfo = LimitInfo & {
  NCPU?: number
  MemTotal?: number
  OSType?: string
  Driver?: string
  LiveRestoreEnabled?: boolean
  SystemTime?: string
  Plugins?: { Log?: string[] | null }
}

export type EngineFacts = LimitFacts & {
  version: string
  cpus: number
  memoryBytes: number
  isPodman: boolean
  /** The engine's own log, from which output is read again. */
  logDriver: LogDriver
  weaker: string[]
  unusable: string | null
}

/** With a larger difference of clocks, times of containers and of the server cannot be compared. */
const CLOCK_SKEW_MS = 60_000

export async function readFacts(client: DockerClient): Promise<EngineFacts> {
  const info = (await client.call('describe itself', (signal) =>
    client.request({ method: 'GET', path: '/info', signal }),
  )) as DockerInfo
  if (typeof info?.NCPU !== 'number' || typeof info.MemTotal !== 'number') {
    throw new EngineError('refused', `whatever answers at ${client.socket} is not Docker: check DOCKER_HOST`)
  }
  const skew = info.SystemTime ? Math.abs(Date.parse(info.SystemTime) - client.clock.now()) : 0
  return {
    version: info.ServerVersion ?? '(unknown version)',
    cpus: info.NCPU,
    memoryBytes: info.MemTotal,
    isPodman: isPodman(info),
    logDriver: isPodman(info) ? 'k8s-file' : 'local',
    ...limitFacts(info),
    weaker: [...weaknesses(info), ...(skew > CLOCK_SKEW_MS ? [skewText(skew)] : [])],
    unusable:
      info.OSType && info.OSType !== 'linux'
        ? `Docker runs ${info.OSType} containers; Beadloom needs Linux ones`
        : null,
  }
}

/** A log driver of its own tells it from Docker. */
const isPodman = ({ Plugins }: DockerInfo): boolean => Plugins?.Log?.includes('k8s-file') ?? false

function weaknesses(info: DockerInfo): string[] {
  const security = info.SecurityOptions ?? []
  const found: string[] = []
  if (!security.some((option) => /^(name=)?seccomp/.test(option))) {
    found.push('no seccomp: containers can make any system call; use a kernel and a Docker that support seccomp')
  }
  if (security.some((option) => /seccomp.*profile=unconfined/.test(option))) {
    found.push('seccomp is unconfined by default; remove "seccomp-profile" from /etc/docker/daemon.json')
  }
  if (isPodman(info)) {
    found.push("Podman's log has whole seconds: lines that a restarted server reads again have no finer times")
  } else if (info.LiveRestoreEnabled !== true) {
    found.push(
      'live-restore is off: restarting Docker kills running sessions; set "live-restore": true in /etc/docker/daemon.json',
    )
  }
  if (info.Driver && !['overlay2', 'overlayfs', 'btrfs', 'zfs'].includes(info.Driver)) {
    found.push(`storage driver ${info.Driver}: starting a container may copy its whole file system; use overlay2`)
  }
  return found
}

const skewText = (ms: number): string =>
  `Docker's clock and the server's differ by ${Math.round(ms / 1000)} s; synchronize both with NTP`

/** `slots`: how many containers share the memory; absent: not known here. */
export function healthOf(facts: EngineFacts, warnings: Iterable<string>, slots?: number): EngineHealth {
  const { version, cpus, memoryBytes, isPodman, unusable } = facts
  const tight = slots === undefined ? null : tightMemory(memoryBytes, slots)
  return {
    ok: unusable === null,
    text: unusable ?? `${isPodman ? 'Podman' : 'Docker'} ${version}, ${cpus} CPUs, ${gib(memoryBytes)}`,
    weaker: [...new Set([...facts.weaker, ...(tight === null ? [] : [tight]), ...warnings])],
    cpus,
    memoryBytes,
  }
}

export function healthWithout(error: unknown): EngineHealth {
  // Any other error is a bug of ours, but health never rejects: people look here first.
  const text = messageOf(error)
  return { ok: false, text, weaker: [], cpus: 0, memoryBytes: 0 }
}

/** Docker's line in `beadloom doctor`: what to do if it does not work, and what is weaker than recommended. */
export async function checkEngine(
  dockerHost: string | null,
  dockerCertPath: string | null,
  slots?: number,
): Promise<Check> {
  try {
    const client = new DockerClient({
      dockerHost: dockerHost ?? undefined,
      dockerCertPath: dockerCertPath ?? undefined,
      clock: systemClock,
    })
    const { ok, text, weaker } = healthOf(await readFacts(client), [], slots)
    return { name: 'docker', ok, text: [text, ...weaker].join('; ') }
  } catch (error) {
    return { name: 'docker', ok: false, text: healthWithout(error).text }
  }
}
