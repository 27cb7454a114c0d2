/**
 * Why a stream was cut off.
 *
 * - `reset`: the other end wanted it so.
 * - `busy`: too many streams are open.
 * - `refused`: the other end does not know the kind, or failed at it.
 * - `lost`: the carrier is gone, or another server has taken the link. Never sent: both ends see it themselves.
 */
export const resetReasons = ['reset', 'busy', 'refused', 'lost'] as const
export type ResetReason = (typeof resetReasons)[number]

/** A number from the other end, which may be any. */
export const resetReasonOf = (code: number | undefined): ResetReason => {
  const reason = resetReasons[code ?? 0] ?? 'reset'
  return reason === 'lost' ? 'reset' : reason
}

const words: Record<ResetReason, string> = {
  reset: 'the other end of the link has cut this stream off',
  busy: 'too many streams are open on this link: close some, or try again in a second',
  refused: 'the other end of the link refused this stream',
  lost: 'the link was lost: its carrier is gone, or another server has taken it',
}

/** The error of a stream that was cut off. */
export class StreamReset extends Error {
  override name = 'StreamReset'
  readonly reason: ResetReason

  constructor(reason: ResetReason) {
    super(words[reason])
    this.reason = reason
  }
}
