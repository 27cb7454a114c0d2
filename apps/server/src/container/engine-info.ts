import { gib, tightMemory } from '@beadloom/core/project/memory-share.ts'
import { runtimeWords, type RuntimeSeen } from '@beadloom/core/isolation/runtime-seen.ts'
import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError, type EngineHealth } from '../ports/engine.ts'
import { systemClock } from '../process/clock.ts'
import type { Environment } from '../process/settings/settings.ts'
import { nameOf } from './connection/address.ts'
import { describeChoice } from './connection/choose-engine.ts'
import { type EngineMachine, sharesHost, type SharesHost, thisMachine } from './connection/shares-host.ts'
import type { LogDriver } from './container-config.ts'
import { DockerClient } from './docker-client.ts'
import { abilitiesOf, type Abilities, unusableFor } from './engine-abilities.ts'
import { unknownRuntime, type RuntimeInfo } from './runtimes.ts'
import { limitFacts, type LimitFacts, type LimitInfo } from './limits/limit-facts.ts'

/** The fields of Docker's `info` that we read. Any may be missing: engines that only resemble Docker leave some out. */
export type DockerInfo = EngineMachine &
  LimitInfo &
  RuntimeInfo & {
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
  /** The driver of the engine's own log. */
  logDriver: LogDriver
  abilities: Abilities
  /** Whether a socket of this machine works in a container that it is mounted into. */
  sharesHost: SharesHost
  weaker: string[]
  unusable: string | null
}

/**
 * With a larger difference of clocks, times that containers print do not fit the server's, and Docker's record of who
 * stopped a container is read in the wrong place. A synchronized clock is off by milliseconds.
 */
const CLOCK_SKEW_MS = 5_000

/**
 * `known`: an earlier answer; abilities are asked for again when the version is another one. `runtime`: the runtime for
 * containers; null: the engine's own.
 */
export async function readFacts(
  client: DockerClient,
  { known = null, runtime = null }: { known?: EngineFacts | null; runtime?: string | null | undefined } = {},
): Promise<EngineFacts> {
  const asked = client.clock.now()
  const info = (await client.call('describe itself', (signal) =>
    client.request({ method: 'GET', path: '/info', signal }),
  )) as DockerInfo
  if (typeof info?.NCPU !== 'number' || typeof info.MemTotal !== 'number') {
    const { choice } = client
    const [at, change] = choice ? [nameOf(choice.address), choice.change] : ['the socket', 'check DOCKER_HOST']
    throw new EngineError('refused', `whatever answers at ${at} is not Docker: ${change}`)
  }
  const skew = info.SystemTime ? skewOf(Date.parse(info.SystemTime), asked, client.clock.now()) : 0
  const version = info.ServerVersion ?? '(unknown version)'
  const abilities = known?.version === version ? known.abilities : await abilitiesOf(client)
  const called = `${isPodman(info) ? 'Podman' : 'Docker'} ${version}`
  const address = client.choice?.address
  const shares: SharesHost = address
    ? sharesHost(address, info, thisMachine())
    : { shares: 'unknown', why: 'no engine has been found yet' }
  return {
    version,
    cpus: info.NCPU,
    memoryBytes: info.MemTotal,
    isPodman: isPodman(info),
    logDriver: isPodman(info) ? 'k8s-file' : 'local',
    ...limitFacts(info, runtime),
    abilities,
    sharesHost: shares,
    weaker: [
      ...weaknesses(info, abilities),
      ...(Math.abs(skew) > CLOCK_SKEW_MS ? [skewText(skew)] : []),
      ...(client.choice?.weaker ?? []),
    ],
    unusable:
      info.OSType && info.OSType !== 'linux'
        ? `Docker runs ${info.OSType} containers; Beadloom needs Linux ones`
        : (unusableFor(abilities, called, shares) ?? unknownRuntime(runtime, info, called)),
  }
}

/** Podman has a log driver of its own. */
export const isPodman = ({ Plugins }: Pick<DockerInfo, 'Plugins'>): boolean =>
  Plugins?.Log?.includes('k8s-file') ?? false

function weaknesses(info: DockerInfo, { exec }: Abilities): string[] {
  const security = info.SecurityOptions ?? []
  const found: string[] = []
  if (!security.some((option) => /^(name=)?seccomp/.test(option))) {
    found.push('no seccomp: containers can make any system call; use a kernel and a Docker that support seccomp')
  }
  if (security.some((option) => /seccomp.*profile=unconfined/.test(option))) {
    found.push('seccomp is unconfined by default; remove "seccomp-profile" from /etc/docker/daemon.json')
  }
  if (!isPodman(info) && info.LiveRestoreEnabled !== true) {
    found.push(
      'live-restore is off: restarting Docker kills running sessions; set "live-restore": true in /etc/docker/daemon.json',
    )
  }
  if (!exec) found.push('no exec: an agent whose socket fails cannot be reached in another way')
  if (info.Driver && !['overlay2', 'overlayfs', 'btrfs', 'zfs'].includes(info.Driver)) {
    found.push(`storage driver ${info.Driver}: starting a container may copy its whole file system; use overlay2`)
  }
  return found
}

/** The lead of the engine's clock, in ms. The time that the answer itself may have taken does not count. */
const skewOf = (theirs: number, asked: number, answered: number): number =>
  theirs > answered ? theirs - answered : Math.min(0, theirs - asked)

const skewText = (ms: number): string =>
  `Docker's clock is ${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} the server's: times in logs will not fit each other; synchronize both with NTP (a virtual machine that slept: restart it)`

/**
 * `slots`: the number of containers that share the memory; absent: not known here. `where`: the engine's address and
 * why it was chosen. `seen`: the runtime of its containers, as one of them has seen it.
 */
export function healthOf(
  facts: EngineFacts,
  warnings: Iterable<string>,
  where: string | null,
  { slots, seen = null }: { slots?: number | undefined; seen?: RuntimeSeen | null } = {},
): EngineHealth {
  const { version, cpus, memoryBytes, isPodman, unusable } = facts
  const tight = slots === undefined ? null : tightMemory(memoryBytes, slots)
  return {
    ok: unusable === null,
    text:
      unusable ??
      [
        `${isPodman ? 'Podman' : 'Docker'} ${version}, ${cpus} CPUs, ${gib(memoryBytes)}`,
        ...[runtimeWords(facts.runtime.name, seen)].filter((text) => text !== null),
        ...reachOf(facts),
      ].join('; '),
    where,
    weaker: [...new Set([...facts.weaker, ...(tight === null ? [] : [tight]), ...warnings])],
    cpus,
    memoryBytes,
  }
}

/** The way by which agents are reached, if not through a socket of this machine. */
const reachOf = ({ sharesHost: { shares, why } }: EngineFacts): string[] =>
  shares === true ? [] : [`agents are reached through its exec, because ${why}`]

export function healthWithout(error: unknown, where: string | null): EngineHealth {
  // Any other error is a bug of ours, but health never rejects: people look here first.
  const text = messageOf(error)
  return { ok: false, text, where, weaker: [], cpus: 0, memoryBytes: 0 }
}

export const whereIs = ({ choice }: DockerClient): string | null => choice && describeChoice(choice)

/** An engine of `config.json`, by its name there. */
export type NamedEngine = { name: string; dockerHost: string }

/** `other`: an engine of `config.json`; absent: the one that the environment leads to. */
export type WhichEngine = { slots?: number | undefined; other?: NamedEngine; runtime?: string | null }

/** Docker's line in `beadloom doctor`: what to do if it does not work, and what is weaker than recommended. */
export async function checkEngine(env: Environment, { slots, other, runtime }: WhichEngine = {}): Promise<Check> {
  const name = other?.name ?? 'docker'
  const at = other && { dockerHost: other.dockerHost, named: other.name }
  let client: DockerClient | null = null
  try {
    client = new DockerClient({ env, clock: systemClock, ...at })
    const { ok, text, where, weaker } = healthOf(await readFacts(client, { runtime }), [], whereIs(client), { slots })
    return { name, ok, text: [text, ...(where === null ? [] : [where]), ...weaker].join('; ') }
  } catch (error) {
    return { name, ok: false, text: healthWithout(error, client && whereIs(client)).text }
  }
}
