import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { EgressDoor } from './egress.ts'

/** A place for the sessions of one line of work, one after the other; what they leave in its files stays. */
export interface Sandbox {
  /** What the engine calls it. */
  readonly id: string
  readonly name: string
  /** Starts what a session needs, without one: the first `run` then begins at once. */
  warm(): Promise<void>
  /**
   * Starts the process of the next session as far as that can be done without knowing it. A sandbox that cannot is none the
   * worse: its session starts as usual.
   */
  stepAhead(): Promise<void>
  /**
   * Begins a session, once, however often it is asked for the same one. Not reading its output loses nothing; far behind
   * (a quarter of a GiB), the session waits. Rejects when it could not begin: then none of it has happened.
   */
  run(session: SessionCall): Promise<Running>
  /**
   * A session that an earlier server began and has not closed: its output comes from its first byte on, also where it has
   * ended meanwhile, or its sandbox has. Nothing comes from a sandbox that is gone.
   */
  adopt(session: SessionCall): Promise<Running>
  /** For one that an earlier server has left: from now on its requests are held until a session of ours is in it. */
  listen(): Promise<void>
  state(): Promise<SandboxState>
  /**
   * A file, whether a session is in there or all have ended: nothing in there is asked, or run. Null: there is no such
   * file. Larger ones than `mostBytes` are refused.
   */
  readFile(path: string, mostBytes: number): Promise<Buffer | null>
  /** A folder in the same way, as a tar stream whose paths begin with the folder's own name. */
  readFolder(path: string): Promise<Readable>
  /**
   * Keeps its files as what other sandboxes start from; refused while a session is in it. There, every folder of the workspace can
   * be renamed, but for the repository's own and what `onLine` names in lines for people.
   */
  keepAs(key: EnvironmentKey, onLine?: (line: string) => void): Promise<EnvironmentId>
  /** The machine that it is on, where its engine has several; else null, and while it is on none. Never rejects. */
  node(): Promise<string | null>
  /** Bytes that were written in it; null when the engine cannot say. Never rejects. */
  bytes(): Promise<number | null>
  /**
   * Ends its session with everything that it started: SIGTERM, `graceMs`, SIGKILL. Resolves when it has ended; nothing
   * to end is no error, neither is a sandbox that is gone.
   */
  stop(graceMs: number): Promise<void>
  /** Leaves it as it is, with its session: requests fail and are tried again until the next server listens. */
  letGo(): void
  /** Ends and removes it with all that it holds; one that is gone is no error. */
  close(): Promise<void>
}

/** What is made for a project with `keepAs`: `digest` is of all that it depends on. */
export type EnvironmentKey = { project: string; digest: string }

/** What sandboxes start from, as the engine calls it. */
export type EnvironmentId = string

export type SandboxSpec = {
  name: string
  environment: EnvironmentId
  /** The execution that it is for; null: that is not known yet. */
  owner: string | null
  purpose: string
  /** The project that it works on: by this its work can be saved where nothing else is known of it any more. */
  project?: string
  network: 'none' | 'bridge'
  /** Names that lead to the sandbox itself, where its services are; default: none. */
  hosts?: readonly string[]
  cpus: number
  memoryBytes: number
  processes: number
}

/** What a session is to do, and who answers what it asks for meanwhile. */
export type SessionCall = {
  order: SessionOrder
  handlers: SessionHandlers
  /** Called with each of its requests. */
  onRequest: () => void
  /** Called while the engine has no place for the sandbox, with its reason, whenever that is another one; null: it has one. */
  onWait?: (why: string | null) => void
  /** Nobody wants it any more: whoever waits for a place stops waiting. */
  signal?: AbortSignal
}

export type SessionHandlers = {
  git: (request: IncomingMessage, response: ServerResponse) => void
  model: (request: IncomingMessage, response: ServerResponse) => void
  /** Connections to its proxy, for hosts outside; absent: it may reach none, and they are cut off. */
  egress?: EgressDoor
}

/** A session that has begun. */
export interface Running {
  readonly output: FrameSource
  /**
   * How it ended: as the sandbox says (a claim, as all that comes out of one), or the engine where the sandbox has ended.
   * When `signal` aborts, rejects with an `EngineError` ('refused'); the session continues.
   */
  ended(signal: AbortSignal): Promise<Exit>
  /**
   * Nothing more of it is wanted, by no later server either: its output ends and is forgotten, and requests that it has
   * left open are cut off.
   */
  close(): void
}

/** In the order in which it was printed. */
export type OutputFrame = {
  stream: 'stdout' | 'stderr'
  bytes: Buffer
  /** When they were printed, by the clock of the engine's host (milliseconds UTC); absent: now. */
  at?: number
  /** At least so many bytes of this stream that came before these are gone: nobody has them any more. */
  skipped?: number
}

/**
 * It ends when the session has ended and everything was delivered. If the engine goes away meanwhile and comes back,
 * nothing is lost: the output continues where it broke off.
 */
export interface FrameSource extends AsyncIterable<OutputFrame> {
  /** Stops reading; the iteration ends. */
  close(): void
}

/** Positions in the streams of one session: bytes since it began. */
export type Offsets = Record<OutputFrame['stream'], number>

export type Exit = {
  code: number
  oomKilled: boolean
  /** The sandbox or the engine went away: nothing is known about the end. */
  lost: boolean
  /** Lost with what supervised the session in its sandbox, which is still there. */
  unseen?: boolean
  /**
   * Ended by a signal that was neither ours nor the engine's: `docker kill` by hand, or the session's own program.
   */
  killed?: boolean
  /** The engine was asked to stop or kill it, and not by this server. */
  outside?: boolean
  /** What the engine says about the end, as a part of a sentence. */
  why?: string
  startedAt: number
  finishedAt: number
}

/**
 * `created`: no session has begun in it; with a `startedAt` above 0 that is what the sandbox says, which its sessions could
 * make it say. `exited`: the last one has ended, like that. `why`: why it is gone, as a part of a sentence; absent: its engine
 * does not say.
 */
export type SandboxState =
  | { state: 'created' | 'running'; startedAt: number }
  | { state: 'exited'; exit: Exit }
  | { state: 'gone'; why?: string }

/** `state` is the engine's own word, for people; `owner` and `purpose` are as they were when it was opened. */
export type OwnedSandbox = {
  id: string
  name: string
  owner: string | null
  purpose: string
  project?: string
  state: string
  createdAt: number
  /** Where an engine has several machines. */
  node?: string | null
}
