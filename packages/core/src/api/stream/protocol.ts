import type { BeadCard } from '../beads/bead-api.ts'
import type { ExecutionView } from '../executions/execution-api.ts'
import type { ProjectView } from '../projects/project-api.ts'
import type { ServerStatus } from '../server/server-api.ts'

export type { ClientFrame } from './client-frame.ts'

/*
 * The protocol of the WebSocket `/ws`. Text frames are JSON; log text travels in binary frames (`encodeLogChunk`).
 *
 * A channel is a cursor that the client owns: a topic, a number for the channel and the next position that the client
 * wants. The server keeps no queue for a client; it sends everything after the cursor as fast as the client reads.
 *
 * Topics:
 * - `home`: projects and server status. Positions are `seq` of the `changes` table.
 * - `board:{project}`: the cards and live executions of one project. Positions are `seq` as well.
 * - `log:{session}`: the lines of one session's log, numbered from 0. Positions are line numbers.
 */
export const PROTOCOL = 1

export type BoardOp =
  | { op: 'put'; kind: 'bead'; value: BeadCard }
  | { op: 'remove'; kind: 'bead'; id: string }
  | { op: 'put'; kind: 'execution'; value: ExecutionView }
  | { op: 'put'; kind: 'project'; value: ProjectView }
  | { op: 'remove'; kind: 'project'; id: string }
  | { op: 'put'; kind: 'status'; value: ServerStatus }

export type ServerFrame =
  | { type: 'welcome'; proto: number; epoch: string; seq: number; build: string; now: number }
  /**
   * Replaces everything the client holds of this channel, whatever its `seq` was. A big one continues in deltas with
   * low numbers; only the last has the true `seq`. A client that reconnects with a low number gets another snapshot.
   */
  | { type: 'snapshot'; ch: number; epoch: string; seq: number; ops: BoardOp[] }
  /** Changes after the client's cursor, up to and including `seq`. */
  | { type: 'delta'; ch: number; seq: number; ops: BoardOp[] }
  /** The line that has no newline yet; replaces itself. `line` is its number. */
  | { type: 'partial'; ch: number; line: number; text: string }
  /** The log is complete and has exactly `lines` lines. */
  | { type: 'end'; ch: number; lines: number; exit: number | null }
  /** This topic does not exist, or no longer does. */
  | { type: 'expired'; ch: number; reason: string }
  | { type: 'pong'; t: number; now: number }
  | { type: 'error'; message: string }

/** Close codes. After `auth` (sign in) and `protocol` (reload) a client does not reconnect by itself. */
export const closeCode = { auth: 4401, protocol: 4409, slow: 1013, restart: 1012 } as const

const HEADER_BYTES = 12

/** `u32 ch | u32 firstLine | u32 count | utf8`, little endian; every line ends with a newline. */
export function encodeLogChunk(ch: number, firstLine: number, count: number, text: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEADER_BYTES + text.byteLength)
  const view = new DataView(frame.buffer)
  view.setUint32(0, ch, true)
  view.setUint32(4, firstLine, true)
  view.setUint32(8, count, true)
  frame.set(text, HEADER_BYTES)
  return frame
}

export type LogChunk = { ch: number; firstLine: number; count: number; text: Uint8Array }

export function decodeLogChunk(frame: Uint8Array): LogChunk {
  if (frame.byteLength < HEADER_BYTES)
    throw new Error(`log chunk of ${frame.byteLength} bytes is shorter than its header`)
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  return {
    ch: view.getUint32(0, true),
    firstLine: view.getUint32(4, true),
    count: view.getUint32(8, true),
    text: frame.subarray(HEADER_BYTES),
  }
}
