import type { Batch } from './batch.ts'
import type { Frame } from './frame.ts'
import type { ResetReason } from './reset-reason.ts'

/** The user of one stream number: a stream of bytes, or one end of an output. */
export interface Channel {
  readonly id: number
  /** The other end's violation of the protocol, or null. */
  receive(frame: Frame): string | null
  /** Puts the frames that precede all bytes. False: there was no room for all of them. */
  putControl(batch: Batch): boolean
  /** Puts at most one frame of bytes, or the end. True: there is more that may be sent. */
  putBytes(batch: Batch): boolean
  /** The link is gone: nothing is sent any more. */
  lose(reason: ResetReason): void
  /** Reports changes since the last report to its owner. */
  tell(): void
  /** Nothing will be sent or received by this number any more. */
  readonly isOver: boolean
}

/** A channel's requests to its tenure. */
export type Desk = {
  /** It has something for `putControl`. */
  hasControl(channel: Channel): void
  /** It has something for `putBytes`. */
  hasBytes(channel: Channel): void
  /** It has something to tell its owner. */
  changed(channel: Channel): void
}
