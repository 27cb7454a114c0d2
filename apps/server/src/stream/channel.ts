import type { BoardOp, ClientFrame, ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import type { Bell } from './bell.ts'
import type { Outlet } from './outlet.ts'

/** One subscription of one client, as a pump sees it. */
export type Channel = {
  sub: Extract<ClientFrame, { type: 'sub' }>
  outlet: Outlet
  bell: Bell
  /** Aborts with `unsub`, another `sub` of the same number, or the end of the socket. Nothing may be sent after it. */
  signal: AbortSignal
}

/** Serialised ops: every client of a topic gets the same text. */
export type OpsText = string

export const snapshotFrame = (ch: number, epoch: string, seq: number, ops: OpsText): string =>
  `{"type":"snapshot","ch":${ch},"epoch":${JSON.stringify(epoch)},"seq":${seq},"ops":${ops}}`

export const deltaFrame = (ch: number, seq: number, ops: OpsText): string =>
  `{"type":"delta","ch":${ch},"seq":${seq},"ops":${ops}}`

export const opsText = (ops: BoardOp[]): OpsText => JSON.stringify(ops)

/** Sends one frame in its turn; false when the channel is over. */
export async function sendInTurn({ outlet, signal }: Channel, frame: ServerFrame): Promise<boolean> {
  const turn = await outlet.turn(signal)
  turn?.send(JSON.stringify(frame))
  return turn !== null
}
