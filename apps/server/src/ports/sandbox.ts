import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { EgressDoor } from './egress.ts'

/** A place for the sessions of one line of work, one after the other. Its files stay between them. */
export interface Sandbox {
  /** The engine's name of it. */
  readonly id: string
  readonly name: string
  /** Prepares for a session, without one: the first `run` then begins at once. */
  warm(): Promise<void>
  /**
   * Starts the process of the next session as far as that can be done without knowing it. If the sandbox cannot, its
   * session starts as usual.
   */
  stepAhead(): Promise<void>
  /**
   * Begins a session, once: repeated calls for the same session begin no other. Not reading its output loses nothing; a
   * quarter of a GiB behind, the session waits. Rejects if it could not begin: then nothing of it has happened.
   */
  run(session: SessionCall): Promise<Running>
  /**
   * Continues a session that an earlier server began and has not closed. Its output comes from its first byte, even if
   * it or its sandbox has ended meanwhile. Nothing comes from a sandbox that is gone.
   */
  adopt(session: SessionCall): Promise<Running>
  /** For a sandbox that an earlier server left: from now on its requests are held until a session of ours is in it. */
  listen(): Promise<void>
  state(): Promise<SandboxState>
  /**
   * Reads a file, during a session or after all have ended. Asks and runs nothing in the sandbox. Null: there is no
   * such file. Files larger than `mostBytes` are refused.
   */
  readFile(path: string, mostBytes: number): Promise<Buffer | null>
  /** Reads a folder in the same way, as a tar stream whose paths begin with the folder's own name. */
  readFolder(path: string): Promise<Readable>
  /**
   * Keeps its files as an environment for other sandboxes; refused while a session is in it. There, every folder of the
   * workspace can be renamed, except the repository's own and those that `onLine` names in lines for people.
   */
  keepAs(key: EnvironmentKey, onLine?: (line: string) => void): Promise<EnvironmentId>
  /** The machine that it is on, if its engine has several; else null, and while it is on none. Never rejects. */
  node(): Promise<string | null>
  /** Bytes that were written in it; null when the engine cannot say. Never rejects. */
  bytes(): Promise<number | null>
  /**
   * Ends its session with everything that it started: SIGTERM, `graceMs`, SIGKILL. Resolves when it has ended. Neither
   * an ended session nor a gone sandbox is an error.
   */
  stop(graceMs: number): Promise<void>
  /**
   * Ends what its session has started within this time (milliseconds), but not the session: an agent loses the command
   * that it runs. Resolves with the number of ended processes; null: its supervisor does not answer, or is an older one
   * that cannot.
   */
  interrupt(youngerMs: number): Promise<number | null>
  /** Lets go of it with its session running: requests fail and are tried again until the next server listens. */
  letGo(): void
  /** Ends and removes it with all its contents; a sandbox that is gone is no error. */
  close(): Promise<void>
}

/** The key of an environment that `keepAs` makes for a project: `digest` is of all that it depends on. */
export type EnvironmentKey = { project: string; digest: string }

/** The engine's name of an environment that sandboxes start from. */
export type EnvironmentId = string

export type SandboxSpec = {
  name: string
  environment: EnvironmentId
  /** The execution that it is for; null: not known yet. */
  owner: string | null
  purpose: string
  /** The project that it works on: by this its work can be saved when nothing else is known of it any more. */
  project?: string
  network: 'none' | 'bridge'
  /** Names that lead to the sandbox itself, for its services; default: none. */
  hosts?: readonly string[]
  cpus: number
  memoryBytes: number
  processes: number
}

/** The work of a session, and who answers its requests meanwhile. */
export type SessionCall = {
  order: SessionOrder
  handlers: SessionHandlers
  /** Called with each of its requests. */
  onRequest: () => void
  /** Called when the engine's reason for having no place for the sandbox changes; null: it has one. */
  onWait?: (why: string | null) => void
  /** The session is no longer wanted: a wait for a place ends. */
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
   * Its end, according to the sandbox (a claim, like all that comes out of one), or to the engine if the sandbox has
   * ended. When `signal` aborts, rejects with an `EngineError` ('refused'); the session continues.
   */
  ended(signal: AbortSignal): Promise<Exit>
  /**
   * Nothing more of it is wanted, not even by a later server: its output ends and is forgotten, and its open requests
   * are cut off.
   */
  close(): void
}

/** In the order in which it was printed. */
export type OutputFrame = {
  stream: 'stdout' | 'stderr'
  bytes: Buffer
  /** When they were printed, by the clock of the engine's host (milliseconds UTC); absent: now. */
  at?: number
  /** At least this many earlier bytes of this stream are lost for good. */
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
  /** The sandbox or the engine went away: the end is unknown. */
  lost: boolean
  /** The session's supervisor was lost; the sandbox is still there. */
  unseen?: boolean
  /**
   * Ended by a signal that was neither ours nor the engine's: `docker kill` by hand, or the session's own program.
   */
  killed?: boolean
  /** Somebody other than this server had the engine stop or kill it. */
  outside?: boolean
  /** The engine's reason for the end, as a part of a sentence. */
  why?: string
  startedAt: number
  finishedAt: number
}

/**
 * `created`: no session has begun in it; with a `startedAt` above 0 the sandbox claims that, which its sessions could
 * make it do. `exited`: the last session has ended, in this way. `why`: why it is gone, as a part of a sentence;
 * absent: its engine does not say.
 */
export type SandboxState =
  | { state: 'created' | 'running'; startedAt: number }
  | { state: 'exited'; exit: Exit }
  | { state: 'gone'; why?: string }

/** `state` is the engine's own word, for people; `owner` and `purpose` date from when it was opened. */
export type OwnedSandbox = {
  id: string
  name: string
  owner: string | null
  purpose: string
  project?: string
  state: string
  createdAt: number
  /** For an engine with several machines. */
  node?: string | null
}
