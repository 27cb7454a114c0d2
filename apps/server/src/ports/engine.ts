import type { Readable } from 'node:stream'
import type { Asking, Machine } from '@beadloom/core/dispatch/capacity.ts'
import type { Release } from '@beadloom/core/environment/toolchains/offer.ts'
import type { EnvironmentId, EnvironmentKey, OwnedSandbox, Sandbox, SandboxSpec } from './sandbox.ts'
import type { HealthCheck, Service, ServiceSpec } from './service.ts'

/**
 * Where sandboxes are, as the rest of the server sees it: places in which sessions work that can do nothing to the host,
 * to each other or to this server. What they are made of (containers, images, sockets) is the adapter's alone.
 *
 * Contract, for every adapter:
 * - failures of the engine are `EngineError`s with a kind; any other rejection is a bug of ours;
 * - a silent engine keeps no promise pending for longer than 15 s, except a session's output and end, which end when the
 *   session does, when `signal` aborts, or when the engine is lost; and `prepare`, `push` and `keepAs`, which wait as long as
 *   the engine is alive;
 * - only sandboxes of this server are ever listed, stopped or removed.
 */
export interface Engine {
  /** What projects and people call it. */
  readonly name: string
  /** Whether the engine is reachable, and what is weaker than recommended. Never rejects. */
  health(): Promise<EngineHealth>
  /**
   * Makes (or finds) what sandboxes of this base start from, before the project's own `setup`: the base, the agent's
   * program if it has to be installed, and what runs the sessions.
   */
  prepare(base: BaseImage, agent: AgentPackage | null, making: Making): Promise<EnvironmentId>
  /** What a sandbox was kept as (`Sandbox.keepAs`); null: there is none. */
  environment(key: EnvironmentKey): Promise<EnvironmentId | null>
  /** What the engine calls an image that is, or would be, made for a project. */
  imageName(key: EnvironmentKey): string
  /**
   * Pushes what a sandbox was kept as to a registry, `HOST[:PORT][/PATH]`, as whom the user of this server is signed in
   * there. Waits as long as the engine is alive, or until `signal` aborts.
   */
  push(environment: EnvironmentId, registry: string, making: Making): Promise<Pushed>
  /** Every image with a name of ours on this engine, also those that another server made. */
  images(): Promise<EngineImage[]>
  /** Refused ('refused') while a container of anybody was made from it; one that is gone is no error. */
  removeImage(name: string): Promise<void>
  /** How many bytes an installed agent adds; null: it has not been installed yet. */
  agentBytes(agent: AgentPackage): Promise<number | null>
  /**
   * Opens a sandbox, and refuses one that would be less confined than asked ('weaker-than-asked'). One with this name
   * that a call before this one opened for this server and nobody has used is taken, or made anew if its settings
   * differ. Any other with this name is 'name-taken'.
   */
  open(spec: SandboxSpec): Promise<Opened>
  /** One that is there already, or is gone. Asks nothing. */
  sandbox(known: Pick<Sandbox, 'id' | 'name'>): Sandbox
  /** Makes sure that a service's image is there. Its own way of saying whether it is ready; null: it has none. */
  serviceImage(image: string, making: Making): Promise<{ health: HealthCheck | null }>
  /**
   * Opens a service beside a sandbox, which shares its network and nothing else: what one of them listens to on its own
   * address, the other reaches. The sandbox has to be started (`warm`), and a service does not outlive its sandbox's start.
   */
  openService(beside: Pick<Sandbox, 'id'>, spec: ServiceSpec): Promise<Service>
  /** One that is there already, or is gone. Asks nothing. */
  service(known: Pick<Service, 'id' | 'name'>): Service
  /** Every sandbox and service of this server, whatever state it is in. */
  owned(): Promise<OwnedSandbox[]>
  /** Removes what the adapter has beside the engine (folders, sockets) for sandboxes that have none of these names. */
  tidy(names: readonly string[]): Promise<void>
}

/** By what name a registry has an image now. `digest`: of its manifest; null: the engine did not say. */
export type Pushed = { reference: string; digest: string | null }

/** What sandboxes start from, or a layer of it. */
export type EngineImage = {
  name: string
  /** Of one in which a project's `setup` ran; null: a layer that projects share. */
  key: EnvironmentKey | null
  /** With all that it lies on. */
  bytes: number
  /** What it adds to the image of ours that it lies on; null: the engine does not say. */
  ownBytes: number | null
  /** Milliseconds UTC. */
  createdAt: number
  /** A container of anybody was made from it. */
  isUsed: boolean
  /** An image with a name of ours lies on it. */
  isBelow: boolean
}

/** `clamped`: sentences about what is less than asked ("asked for 4 CPUs, this host has 2"). */
export type Opened = { sandbox: Sandbox; clamped: string[] }

/** `onProgress` gets lines for people. When `signal` aborts, the promise rejects. */
export type Making = { onProgress: (line: string) => void; signal: AbortSignal }

export type BaseImage =
  | { from: 'default' }
  | { from: 'image'; name: string }
  /**
   * The default image of a Debian release with toolchains, as `installLines` words them. `official`: an image that has all
   * of it, too, and is taken where it is on the engine's machine or can be pulled.
   */
  | { from: 'toolchains'; release: Release; official: string | null; installs: string }
  /** A Dockerfile of the repository. */
  | ({ from: 'dockerfile' } & RepositoryBuild)
  /** A Dockerfile of ours, which begins with another base (`ARG BASE`), and may copy from the repository. */
  | ({ from: 'layer'; over: BaseImage } & RepositoryBuild)
  /** Another base with what a Dockerfile of ours copies from `kit` (`ARG BASE`, `ARG KIT`), an image with toolchains. */
  | { from: 'kit'; over: BaseImage; kit: BaseImage; text: string }

/**
 * What is built with files of the repository. `context` is a tar stream of the repository, or a folder of it, at the base
 * commit; `path` is from there. `text`: the Dockerfile itself, which is not in the context, unless
 * `isInside`: then it takes the place of the file at `path`. It may copy any file, so
 * `cacheKey` stands for all of them.
 */
export type RepositoryBuild = {
  path: string
  text?: string
  isInside?: boolean
  args?: Readonly<Record<string, string>>
  target?: string | null
  context: () => Promise<Readable>
  cacheKey: string
  timeoutMs: number
  limits: BuildLimits
  network: 'none' | 'bridge'
  /** All that its Dockerfile takes files of, by name, so that each can be looked at first. */
  images: readonly string[]
}

/** What each step of a build may use; less where the host has less. */
export type BuildLimits = { cpus: number; memoryBytes: number; processes: number }

/** An agent on the npm registry; `name` is the name of its folder. */
export type AgentPackage = { name: string; package: string; version: string }

export type EngineHealth = {
  ok: boolean
  /** "Docker 20.10.24, 2 CPUs, 24 GiB" or what is wrong and what to do. */
  text: string
  /** Where it is and why that one was taken; null: not known (yet). */
  where: string | null
  weaker: string[]
  cpus: number
  memoryBytes: number
  /** What each of its machines has for sandboxes, as far as it says so; absent: it is one machine. */
  machines?: readonly Machine[]
  /** What a sandbox asks of its machine; absent: all that it is limited to. */
  asking?: Asking
  /** Where it has several machines. */
  nodes?: EngineNode[]
  /** Why it has no room for another sandbox, in its own words; absent: it may have. */
  full?: string
}

/** A machine of an engine that has several. `why`: why nothing starts there; empty: it does. */
export type EngineNode = Machine & { name: string; ok: boolean; why: string }

export type EngineErrorKind =
  | 'unreachable'
  | 'timed-out'
  | 'image-missing'
  | 'image-build-failed'
  | 'name-taken'
  | 'weaker-than-asked'
  | 'no-space'
  /** A quota is used up: what was asked for may be had later. */
  | 'no-room'
  /** The sandbox is gone: somebody has removed it, its machine went down, the engine has given it up. */
  | 'lost'
  /** The engine answered with an error of its own (5xx). */
  | 'failed'
  | 'refused'

export class EngineError extends Error {
  override name = 'EngineError'
  readonly kind: EngineErrorKind
  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
