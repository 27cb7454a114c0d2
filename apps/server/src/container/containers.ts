import type { Readable } from 'node:stream'
import type { Carrier } from '../link/carried-link.ts'
import type { AgentPackage, BaseImage, EngineHealth, EngineImage, Pushed } from '../ports/engine.ts'
import type { Exit, FrameSource, SandboxSpec, SandboxState } from '../ports/sandbox.ts'
import type { HealthCheck, ServiceSpec } from '../ports/service.ts'

/**
 * An engine that has containers, from which `SandboxEngine` makes sandboxes. A container runs its supervisor with each
 * start. There are three: Docker and everything that speaks its API; a cluster, with pods; and the tests' process
 * engine.
 * Contract:
 * - failures of the engine are `EngineError`s with a kind; any other rejection is a bug of ours;
 * - a silent engine keeps no promise pending for longer than 15 s, except `waitForExit`, which ends when the container
 * does, when `signal` aborts, or when the engine is lost;
 * - only containers with this server's instance label are ever listed, stopped or removed.
 */
export interface Containers {
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
  /** Every image with a name of ours, whichever server made it. */
  images(): Promise<EngineImage[]>
  /** Refused while a container was made from it; one that is gone is no error. */
  removeImage(name: string): Promise<void>
  /** Pushes an image to a registry, `HOST[:PORT][/PATH]`, with the sign-in of `docker login`. */
  push(image: ImageId, registry: string, onProgress: (line: string) => void, signal: AbortSignal): Promise<Pushed>
  /** Makes an image with this tag from a stopped container's file system. */
  commit(container: string, tag: string): Promise<ImageId>
  /**
   * Creates the container and checks its effective configuration; if that is weaker than requested, removes it and
   * fails. If an earlier call of this server has created one with this name that was never started, that one is taken,
   * or made anew if its settings differ. Any other with this name is 'name-taken'.
   */
  create(spec: ContainerSpec): Promise<Created>
  /** Pulls the image if it is missing. Returns its own health check; null: it has none. */
  serviceImage(
    name: string,
    onProgress: (line: string) => void,
    signal: AbortSignal,
  ): Promise<{ health: HealthCheck | null }>
  /** Like `create`, for a container without a supervisor that joins the network of another one, which runs. */
  createService(spec: ServiceSpec, beside: string): Promise<Created>
  /** The output of a container without a supervisor, from its first byte on, as one stream. */
  output(container: string): FrameSource
  /**
   * Runs a command in a container, as its own user. False: it has failed, took too long, or the container has ended.
   */
  succeeds(container: string, command: HealthCheck): Promise<boolean>
  /**
   * The way by which a server reaches supervisors: through a socket in a mounted folder if the engine and the server
   * share a host; otherwise through a process that the engine starts beside the supervisor.
   *
   * @param container an existing one, whose supervisor may use another way than new ones do
   */
  linkBy(container?: string): Promise<LinkWay>
  /**
   * Starts such a process and returns its standard streams. The supervisor takes it for a server. Rejects if none can
   * be started: the container does not run (yet), or its supervisor is not ready.
   */
  carrier(container: string): Promise<Carrier>
  /** The last words of its supervisor since its last start, for people; empty: none. */
  lastWords(container: string): Promise<string>
  start(container: string): Promise<void>
  /**
   * Resolves with the container's end since its last start, from `inspect`, not from the output. Call it after `start`.
   * When `signal` aborts, rejects with an `EngineError` ('refused'); the container continues.
   */
  waitForExit(container: string, signal: AbortSignal): Promise<Exit>
  /** SIGTERM, `graceMs`, SIGKILL. Resolves when the container has stopped; one that is gone is no error. */
  stop(container: string, graceMs: number): Promise<void>
  /** Removes by force, with its volumes; a container that is gone is no error. */
  remove(container: string): Promise<void>
  inspect(container: string): Promise<ContainerState>
  /** Every container with this instance's label, in every state. */
  list(): Promise<OwnedContainer[]>
  /**
   * A folder or a file of a container as a tar stream whose paths begin with its own name; null when there is none. The
   * container may have ended: nothing in it is asked or run.
   */
  archive(container: string, path: string): Promise<Readable | null>
  /**
   * Why the engine has no place yet for a container that was started: no room, a queue; empty: it has a place and is
   * about to start; null: it does not wait. Only for engines that decide this.
   */
  waitsFor?(container: string): Promise<string | null>
  /** The machine that has it; null: none yet. Only for engines with several machines. */
  nodeOf?(container: string): Promise<string | null>
  /**
   * Why the engine itself, not this server, takes a container away whose session was asked to end: no room any more,
   * its machine goes down. Part of a sentence; null: it does not, as far as it says within half a minute. Only for
   * engines that decide this. Never rejects.
   */
  takenAway?(container: string): Promise<string | null>
  /** Bytes that were written in the container; null when the engine cannot say. Never rejects. */
  sizeOf(container: string): Promise<number | null>
}

export type LinkWay = 'socket' | 'exec'

export type ImageId = string

/** `bytes`: added to the base image by the agent. */
export type AgentLayer = { image: ImageId; bytes: number }

export type ContainerSpec = Pick<SandboxSpec, 'name' | 'network' | 'hosts' | 'cpus' | 'memoryBytes' | 'processes'> & {
  image: ImageId
  labels: { execution: string; kind: string; project?: string }
  /** Host folder with the link's socket, mounted read-only at `/run/beadloom`; null: servers come by `carrier`. */
  linkFolder: string | null
  /** 32 hexadecimal digits by which the container and its servers identify this link. */
  magic: string
}

/** `clamped`: sentences about reduced limits ("asked for 4 CPUs, this host has 2"). */
export type Created = { id: string; clamped: string[] }

export type ContainerState = SandboxState

export type OwnedContainer = {
  id: string
  name: string
  execution: string
  kind: string
  project?: string
  state: string
  createdAt: number
  node?: string | null
}
