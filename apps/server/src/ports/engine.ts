import type { Readable } from 'node:stream'

/**
 * The container engine, as the sandbox sees it. Docker is the only adapter today.
 *
 * Contract, for every adapter:
 * - failures of the engine are `EngineError`s with a kind; any other rejection is a bug of ours;
 * - a silent engine keeps no promise pending for longer than 15 s, except `waitForExit` and the output of `attach` and
 *   `resumeOutput`, which end when the container does, when `signal` aborts, or when the engine is lost;
 * - only containers with this server's instance label are ever listed, stopped or removed.
 */
export interface Engine {
  /** Whether the engine is reachable, and what is weaker than recommended. Never rejects. */
  health(): Promise<EngineHealth>
  /**
   * Builds (or finds in the cache) the image that containers of a project start from, without the project's own
   * `setup`: base image + the agent's program if it has to be installed + `/opt/beadloom`. Progress lines go to
   * `onProgress`.
   */
  runtimeImage(
    base: BaseImage,
    onProgress: (line: string) => void,
    signal: AbortSignal,
    agent?: AgentPackage | null,
  ): Promise<ImageId>
  /** The layer of an installed agent with its size in bytes; null: it is not built yet. */
  agentImage(agent: AgentPackage): Promise<AgentLayer | null>
  /** The image with this tag, or null. */
  findImage(tag: string): Promise<ImageId | null>
  /** Makes an image with this tag from a stopped container's file system. */
  commit(container: string, tag: string): Promise<ImageId>
  /**
   * Creates the container and checks its effective configuration; if that is weaker than asked, removes it and fails.
   * One with this name that a call before this one made for this server and nobody has started is taken, or made anew
   * if its settings differ. Any other with this name is 'name-taken'.
   */
  create(spec: ContainerSpec): Promise<Created>
  /**
   * Output from the container's next start on. Resolves when attached; call it before `start`, so that no byte is
   * missed. Frames come in order; not reading pauses the container's writes (back-pressure) and loses nothing.
   *
   * It ends when the container has ended and everything was delivered. If the engine goes away meanwhile and comes
   * back, nothing is lost: the output continues from the engine's own log, where it broke off.
   */
  attach(container: string): Promise<OutputSource>
  /**
   * Output since the container's last start, from the first byte on, read from the engine's own log; otherwise like
   * `attach`. Empty for a container that is gone. Not reading it does not stop the container.
   */
  resumeOutput(container: string): Promise<OutputSource>
  start(container: string): Promise<void>
  /**
   * Resolves with how the container ended since its last start, as told by `inspect`, not by the output. Call it after
   * `start`. When `signal` aborts, rejects with an `EngineError` ('refused'); the container continues.
   */
  waitForExit(container: string, signal: AbortSignal): Promise<Exit>
  /** SIGTERM, `graceMs`, SIGKILL. Resolves when the container has stopped; one that is gone is no error. */
  stop(container: string, graceMs: number): Promise<void>
  /** By force, with its volumes; a container that is gone is no error. */
  remove(container: string): Promise<void>
  inspect(container: string): Promise<ContainerState>
  /** Every container with this instance's label, in every state. */
  list(): Promise<OwnedContainer[]>
  /**
   * A folder of a container as a tar stream whose paths begin with the folder's own name. The container may have ended:
   * nothing in it is asked, or run.
   */
  readFolder(container: string, path: string): Promise<Readable>
  /** Bytes that were written in the container; null when the engine cannot say. Never rejects. */
  sizeOf(container: string): Promise<number | null>
}

export type ImageId = string

export type BaseImage =
  | { from: 'default' }
  | { from: 'image'; name: string }
  /** A Dockerfile of the repository; `context` is a tar stream of the repository at the base commit. */
  | { from: 'dockerfile'; path: string; context: () => Promise<Readable>; cacheKey: string }

/** An agent on the npm registry; `name` is the name of its folder. */
export type AgentPackage = { name: string; package: string; version: string }

/** `bytes`: what the agent adds to the base image. */
export type AgentLayer = { image: ImageId; bytes: number }

export type ContainerSpec = {
  name: string
  image: ImageId
  labels: { execution: string; kind: string }
  network: 'none' | 'bridge'
  /** Host folder with the link's socket, mounted read-only at `/run/beadloom`. */
  linkFolder: string
  cpus: number
  memoryBytes: number
  processes: number
}

/** `clamped`: sentences about what is less than asked ("asked for 4 CPUs, this host has 2"). */
export type Created = { id: string; clamped: string[] }

export type OutputFrame = {
  stream: 'stdout' | 'stderr'
  bytes: Buffer
  /** When they were printed, according to the engine (milliseconds UTC); absent: now. */
  at?: number
  /** The engine was away just before these bytes: it may have lost some. */
  seam?: boolean
}

export interface OutputSource extends AsyncIterable<OutputFrame> {
  /** Stops reading; the iteration ends. */
  close(): void
}

export type Exit = {
  code: number
  oomKilled: boolean
  /** The container or the engine went away: nothing is known about the end. */
  lost: boolean
  /**
   * Ended by a signal that was neither ours nor the engine's: `docker kill` by hand, or the container's own program.
   */
  killed?: boolean
  /** The engine was asked to stop or kill it, and not by this server. */
  outside?: boolean
  startedAt: number
  finishedAt: number
}

export type ContainerState =
  | { state: 'created' | 'running'; startedAt: number }
  | { state: 'exited'; exit: Exit }
  | { state: 'gone' }

export type OwnedContainer = {
  id: string
  name: string
  execution: string
  kind: string
  state: string
  createdAt: number
}

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
