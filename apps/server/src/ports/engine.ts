import type { Readable } from 'node:stream'
import type { Asking, Machine } from '@beadloom/core/dispatch/capacity.ts'
import type { Release } from '@beadloom/core/environment/toolchains/offer.ts'
import type { EnvironmentId, EnvironmentKey, OwnedSandbox, Sandbox, SandboxSpec } from './sandbox.ts'
import type { HealthCheck, Service, ServiceSpec } from './service.ts'

/**
 * The home of sandboxes, for the rest of the server: places in which sessions work that can do nothing to the host, to
 * each other or to this server. Only the adapter knows their parts (containers, images, sockets).
 *
 * Contract, for every adapter:
 * - failures of the engine are `EngineError`s with a kind; any other rejection is a bug of ours;
 * - a silent engine keeps no promise pending for longer than 15 s, except a session's output and end, which end when
 *   the session does, when `signal` aborts, or when the engine is lost; and `prepare`, `push` and `keepAs`, which wait
 *   as long as the engine is alive;
 * - only sandboxes of this server are ever listed, stopped or removed.
 */
export interface Engine {
  /** Its name in projects and for people. */
  readonly name: string
  /** Whether the engine is reachable, and which settings are weaker than recommended. Never rejects. */
  health(): Promise<EngineHealth>
  /**
   * Makes (or finds) the environment of this base, before the project's own `setup`: the base, the agent's program if
   * it has to be installed, and the program that runs the sessions.
   */
  prepare(base: BaseImage, agent: AgentPackage | null, making: Making): Promise<EnvironmentId>
  /** The environment that a sandbox was kept as (`Sandbox.keepAs`); null: there is none. */
  environment(key: EnvironmentKey): Promise<EnvironmentId | null>
  /** The engine's name of an image that is, or would be, made for a project. */
  imageName(key: EnvironmentKey): string
  /**
   * Pushes a kept environment to a registry, `HOST[:PORT][/PATH]`, with the sign-in of the user of this server. Waits
   * as long as the engine is alive, or until `signal` aborts.
   */
  push(environment: EnvironmentId, registry: string, making: Making): Promise<Pushed>
  /** Every image with a name of ours on this engine, including those of other servers. */
  images(): Promise<EngineImage[]>
  /** Refused ('refused') while any container was made from it; an image that is gone is no error. */
  removeImage(name: string): Promise<void>
  /** The bytes that an installed agent adds; null: it has not been installed yet. */
  agentBytes(agent: AgentPackage): Promise<number | null>
  /**
   * Opens a sandbox, and refuses one that would be less confined than asked ('weaker-than-asked'). If an earlier call
   * for this server opened one with this name and nobody has used it, that one is taken, or made anew if its settings
   * differ. Any other with this name is 'name-taken'.
   */
  open(spec: SandboxSpec): Promise<Opened>
  /** A sandbox that is there already, or is gone. Asks nothing. */
  sandbox(known: Pick<Sandbox, 'id' | 'name'>): Sandbox
  /** Makes sure that a service's image is there. Returns the image's own health check; null: it has none. */
  serviceImage(image: string, making: Making): Promise<{ health: HealthCheck | null }>
  /**
   * Opens a service beside a sandbox, which shares its network and nothing else: each reaches what the other listens to
   * on its own address. The sandbox has to be started (`warm`), and a service does not outlive its sandbox's start.
   */
  openService(beside: Pick<Sandbox, 'id'>, spec: ServiceSpec): Promise<Service>
  /** A service that is there already, or is gone. Asks nothing. */
  service(known: Pick<Service, 'id' | 'name'>): Service
  /** Every sandbox and service of this server, in any state. */
  owned(): Promise<OwnedSandbox[]>
  /** Removes the adapter's folders and sockets outside the engine, except for sandboxes with these names. */
  tidy(names: readonly string[]): Promise<void>
}

/** The name that a registry now has for an image. `digest`: its manifest's; null: the engine did not say. */
export type Pushed = { reference: string; digest: string | null }

/** An image that sandboxes start from, or a layer of it. */
export type EngineImage = {
  name: string
  /** For an image in which a project's `setup` ran; null: a layer that projects share. */
  key: EnvironmentKey | null
  /** With all its layers. */
  bytes: number
  /** The bytes that it adds to the image of ours below it; null: the engine does not say. */
  ownBytes: number | null
  /** Milliseconds UTC. */
  createdAt: number
  /** Any container was made from it. */
  isUsed: boolean
  /** It is a layer of an image with a name of ours. */
  isBelow: boolean
}

/** `clamped`: sentences about grants below the request ("asked for 4 CPUs, this host has 2"). */
export type Opened = { sandbox: Sandbox; clamped: string[] }

/** `onProgress` gets lines for people. When `signal` aborts, the promise rejects. */
export type Making = { onProgress: (line: string) => void; signal: AbortSignal }

export type BaseImage =
  | { from: 'default' }
  | { from: 'image'; name: string }
  /**
   * The default image of a Debian release with toolchains, as `installLines` words them. `official`: an image that has
   * all of it, too, and is used if it is on the engine's machine or can be pulled.
   */
  | { from: 'toolchains'; release: Release; official: string | null; installs: string }
  /** A Dockerfile of the repository. */
  | ({ from: 'dockerfile' } & RepositoryBuild)
  /** A Dockerfile of ours, which begins with another base (`ARG BASE`), and may copy from the repository. */
  | ({ from: 'layer'; over: BaseImage } & RepositoryBuild)
  /** Another base, with a Dockerfile of ours that copies from the toolchains' image `kit` (`ARG BASE`, `ARG KIT`). */
  | { from: 'kit'; over: BaseImage; kit: BaseImage; text: string }

/**
 * A build with files of the repository. `context` is a tar stream of the repository, or a folder of it, at the base
 * commit; `path` is relative to that. `text`: the Dockerfile itself, which is not in the context, unless `isInside`:
 * then it takes the place of the file at `path`. It may copy any file, so `cacheKey` covers all of them.
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
  /** All images that its Dockerfile takes files from, by name, so that each can be looked at first. */
  images: readonly string[]
}

/** The limits of each step of a build; lower if the host has less. */
export type BuildLimits = { cpus: number; memoryBytes: number; processes: number }

/** An agent on the npm registry; `name` is the name of its folder. */
export type AgentPackage = { name: string; package: string; version: string }

export type EngineHealth = {
  ok: boolean
  /** "Docker 20.10.24, 2 CPUs, 24 GiB", or the problem and what to do. */
  text: string
  /** Its place, and the reason for choosing that; null: not known (yet). */
  where: string | null
  weaker: string[]
  cpus: number
  memoryBytes: number
  /** The resources of each of its machines, as far as it says so; absent: it is one machine. */
  machines?: readonly Machine[]
  /** The resources that a sandbox requests of its machine; absent: all that it is limited to. */
  asking?: Asking
  /** For an engine with several machines. */
  nodes?: EngineNode[]
  /** Why it has no room for another sandbox, in its own words; absent: it may have room. */
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
  /** A quota is used up: the same request may succeed later. */
  | 'no-room'
  /** The sandbox is gone: somebody removed it, its machine went down, or the engine gave it up. */
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
