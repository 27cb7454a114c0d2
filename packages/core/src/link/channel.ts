import type { Batch } from './batch.ts'
import type { Frame } from './frame.ts'
import type { ResetReason } from './reset-reason.ts'

/** What goes by one stream number: a stream of bytes, or one end of an output. */
export interface Channel {
  readonly id: number
  /** What the other end has done wrong, or null. */
  receive(frame: Frame): string | null
  /** Puts what precedes everybody's bytes. False: there was no room for all of it. */
  putControl(batch: Batch): boolean
  /** Puts at most one frame of bytes, or the end. True: there is more that may be sent. */
  putBytes(batch: Batch): boolean
  /** The link is gone: nothing is sent any more. */
  lose(reason: ResetReason): void
  /** Tells its owner what has changed since it was told last. */
  tell(): void
  /** Nothing will be sent or received by this number any more. */
  readonly isOver: boolean
}

/** What a channel asks of its session. */
export type Desk = {
  /** It has something for `putControl`. */
  hasControl(channel: Channel): void
  /** It has something for `putBytes`. */
  hasBytes(channel: Channel): void
  /** Its owner is to be told something. */
  changed(channel: Channel): void
}
