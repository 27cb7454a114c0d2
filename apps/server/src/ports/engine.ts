import type { Readable } from 'node:stream'

/**
 * The container engine, as the runner knows it. Docker is the one adapter today.
 *
 * Contract, for every adapter:
 * - what the engine does wrong is an `EngineError` with a kind; any other rejection is a bug in us;
 * - no promise stays pending longer than 15 s because the engine is silent, except `waitForExit` and the output of
 *   `attach` and `resumeOutput`, which end when the container does, when `signal` aborts, or when the engine is lost;
 * - only containers that carry this server's instance label are ever listed, stopped or removed.
 */
export interface Engine {
  /** Reachable or not, and what is weaker than recommended. Never rejects. */
  health(): Promise<EngineHealth>
  /**
   * Makes (or finds in the cache) the image that containers of a project start from, without the project's own
   * `setup`: base image + the agent's program where it is one to install + `/opt/beadloom`. Progress lines go to
   * `onProgress`.
   */
  runtimeImage(
    base: BaseImage,
    onProgress: (line: string) => void,
    signal: AbortSignal,
    agent?: AgentPackage | null,
  ): Promise<ImageId>
  /** The layer of an installed agent with its size in bytes; null: not made yet. */
  agentImage(agent: AgentPackage): Promise<AgentLayer | null>
  /** The image with this tag, or null. */
  findImage(tag: string): Promise<ImageId | null>
  /** A stopped container's file system as an image with this tag. */
  commit(container: string, tag: string): Promise<ImageId>
  /** Creates and compares the effective configuration; a difference that weakens it removes the container and fails. */
  create(spec: ContainerSpec): Promise<Created>
  /**
   * Output from the container's next start on. Resolves when attached; call before `start`, so that not a byte is
   * missed. Frames come in order; not reading stops the container's writes (back-pressure), never loses any.
   *
   * It ends when that start's run has ended and everything was delivered. An engine that goes away meanwhile and comes
   * back costs nothing: the output goes on from the engine's own log, where it broke off.
   */
  attach(container: string): Promise<OutputSource>
  /**
   * Output of the container's current run, or of its last one, from its first byte on, read from the engine's own log;
   * else as `attach`; of a container that is gone it is empty. Not reading it does not stop the container. Each start of a container is a run of its own.
   */
  resumeOutput(container: string): Promise<OutputSource>
  start(container: string): Promise<void>
  /**
   * Resolves with how the container's current run ended; `inspect` is the judge, not the pipe. Call it after `start`.
   * When `signal` aborts it is rejected with an `EngineError` ('refused'); the container goes on.
   */
  waitForExit(container: string, signal: AbortSignal): Promise<Exit>
  /** SIGTERM, `graceMs`, SIGKILL. Resolves when it does not run any more; a container that is gone is fine. */
  stop(container: string, graceMs: number): Promise<void>
  /** Forced, with its volumes; a container that is gone is fine. */
  remove(container: string): Promise<void>
  inspect(container: string): Promise<ContainerState>
  /** Every container with this instance's label, in every state. */
  list(): Promise<OwnedContainer[]>
}

export type ImageId = string

export type BaseImage =
  | { from: 'default' }
  | { from: 'image'; name: string }
  /** A Dockerfile of the repository; `context` is a tar stream of the repository at the base commit. */
  | { from: 'dockerfile'; path: string; context: () => Promise<Readable>; cacheKey: string }

/** An agent on the npm registry; `name` is its folder's. */
export type AgentPackage = { name: string; package: string; version: string }

/** `bytes`: what the agent adds to the base image. */
export type AgentLayer = { image: ImageId; bytes: number }

export type ContainerSpec = {
  name: string
  image: ImageId
  labels: { execution: string; kind: string }
  network: 'none' | 'bridge'
  /** Host folder that is mounted at `/run/beadloom`, read-only: it holds the link's socket. */
  linkFolder: string
  cpus: number
  memoryBytes: number
  processes: number
}

/** `clamped` says in sentences what is less than asked ("4 CPUs asked, 2 on this host"). */
export type Created = { id: string; clamped: string[] }

export type OutputFrame = {
  stream: 'stdout' | 'stderr'
  bytes: Buffer
  /** When they were printed, by the engine's own note (milliseconds UTC); without one: now, as far as anybody knows. */
  at?: number
  /** The engine was away just before these bytes: some may be missing, if it lost them itself. */
  seam?: boolean
}

export interface OutputSource extends AsyncIterable<OutputFrame> {
  /** Stops reading; the iteration ends. */
  close(): void
}

export type Exit = {
  code: number
  oomKilled: boolean
  /** The engine lost the container or itself: nothing is known about the end. */
  lost: boolean
  /** A signal ended it that was neither ours nor the engine's: `docker kill` by hand, or the container's own program. */
  killed?: boolean
  startedAt: number
  finishedAt: number
}

export type ContainerState =
  | { state: 'created' | 'running'; startedAt: number }
  | { state: 'exited'; exit: Exit }
  | { state: 'gone' }

export type OwnedContainer = { id: string; execution: string; kind: string; state: string; createdAt: number }

export type EngineHealth = {
  ok: boolean
  /** "Docker 20.10.24, 2 CPUs, 24 GiB" or what is wrong and what to do. */
  text: string
  weaker: string[]
  cpus: number
  memoryBytes: number
}

export type EngineErrorKind =
  | 'unreachable'
  | 'timed-out'
  | 'image-missing'
  | 'image-build-failed'
  | 'name-taken'
  | 'weaker-than-asked'
  | 'no-space'
  | 'refused'

export class EngineError extends Error {
  override name = 'EngineError'
  readonly kind: EngineErrorKind
  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
