import type { IncomingMessage } from 'node:http'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { Standing } from '@beadloom/core/access/standing.ts'
import type { BeadId, ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import type { Store } from '../ports/store.ts'

/** The part of the store that the stream follows. */
export type ChangeFeed = Pick<Store, 'epoch' | 'seq' | 'changesAfter' | 'onChange'>

/**
 * The content of the stream. Every function answers from the current state at once; `undefined`: it does not exist, or
 * no longer. A view may be newer than the change that asked for it; the later change then shows the same again.
 */
export interface Views {
  bead(project: ProjectId, id: BeadId): BeadCard | undefined
  execution(id: ExecutionId): ExecutionView | undefined
  project(id: ProjectId): ProjectView | undefined
  hasProject(id: ProjectId): boolean
  status(): ServerStatus
  /** Every project, and the status. */
  home(): Iterable<BoardOp>
  /**
   * Every card and every live execution of a project. A generator is welcome: it is consumed only as fast as the client
   * reads, so a big board need not be in memory as a whole.
   */
  board(project: ProjectId): Iterable<BoardOp> | undefined
  /** `live`: a log exists or is still to come; `ended`: if there is no log now, there never will be. */
  session(id: SessionId): 'live' | 'ended' | undefined
}

/**
 * Whether a client may open a socket. `refused` is answered before the handshake, `unknown` is closed with 4401 after
 * it.
 */
export type Admission =
  /**
   * `standing`: the client's rights. `lasts`: whether it may still be here; asked every few seconds; absent: as long as
   * the socket lives. `forMs`: after this time the client has to open another socket, because only that shows who asks.
   */
  | { kind: 'admitted'; who: string; standing: Standing; lasts?: () => boolean; forMs?: number }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'unknown' }

export type Admit = (request: IncomingMessage) => Admission

export type StreamBounds = {
  socketsPerCredential: number
  subscriptionsPerSocket: number
  /** Nothing more is read for a client while this much waits for it, in bytes. */
  highWaterBytes: number
  /** A client that takes nothing for this long is closed with 1013. */
  stalledMs: number
  /** A client from which nothing is heard for this long is dropped. */
  silentMs: number
  pingMs: number
  /** Frames that a client may send at once, and each second; one that sends more is closed with 1013. */
  framesAtOnce: number
  framesPerSecond: number
}

/** One MiB a client, 30 s without progress; a ping every 20 s; two may be missed. */
export const defaultBounds: StreamBounds = {
  socketsPerCredential: 20,
  subscriptionsPerSocket: 64,
  highWaterBytes: 1024 * 1024,
  stalledMs: 30_000,
  silentMs: 60_000,
  pingMs: 20_000,
  framesAtOnce: 2_000,
  framesPerSecond: 100,
}
