/** The end of a pause that nobody ends: the execution is stopped, or it continues. */
export const pauseEnds = ['stop', 'resume'] as const
export type PauseEnd = (typeof pauseEnds)[number]

/** The reactions to an agent that ends its turn with a question. */
export const onBlocked = ['end', 'wait'] as const
export type OnBlocked = (typeof onBlocked)[number]

/** The longest pause, and the one without a wish, in milliseconds. */
export const MOST_PAUSED_MS = 30 * 24 * 3_600_000
export const DEFAULT_PAUSE_MS = 24 * 3_600_000

/**
 * A person's pause of a running execution: nothing is stopped, but its next call to a model waits, and so does its next
 * step. Times are integer milliseconds UTC.
 */
export type Pause = {
  since: number
  until: number
  atEnd: PauseEnd
  /** The name of who paused it; '' for the holder of the access token. */
  by: string
  /** Something waits for it already. */
  held: boolean
  /** The current step is to be ended, instead of waited for. */
  stop?: true
  /** The next message to its agents resumes it. */
  forWord?: true
  /** Nobody has paused it: its agent has ended its turn with this question, and the next message answers it. */
  question?: string
  /** A person has resumed it, and it waits for a slot. */
  resumed?: true
}

/**
 * "paused by Ada", "stopped by Ada: waits for a message", "waits for your answer", "resumed: continues as soon as a slot
 * is free".
 */
export const pauseText = ({
  by,
  held,
  resumed,
  forWord,
  question,
}: Pick<Pause, 'by' | 'held' | 'resumed' | 'forWord' | 'question'>): string => {
  if (resumed) return 'resumed: continues as soon as a slot is free'
  if (question !== undefined) return 'waits for your answer'
  const who = by === '' ? '' : ` by ${by}`
  if (forWord) return held ? `stopped${who}: waits for a message` : `stopping${who}: the current step finishes first`
  return held ? `paused${who}` : `pausing${who}: the current step finishes first`
}
