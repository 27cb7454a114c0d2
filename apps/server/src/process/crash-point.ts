/*
 * A test aid: `CRASH_AT=after-push` kills the server as from outside, at a moment that no test could hit by chance;
 * `CRASH_AT=after-start:2` the second time it gets there. A restart must be able to continue from between any two of
 * these lines.
 */

export const crashPoints = [
  /** RUNNING is stored, and nothing else has happened. */
  'after-claim',
  /** A container exists that has not been started. */
  'after-create',
  /** The session is stored, and its container has not been started for it. */
  'before-start',
  /** A container runs, and its session is not known to run. */
  'after-start',
  /** Output has arrived, and none of it is recorded. */
  'before-first-commit',
  'after-session-end',
  'after-verification',
  /** The merge is made, and no branch points to it. */
  'after-candidate',
  /** The work branch holds the work, and the remote does not. */
  'after-advance',
  /** The remote holds the work, and the store does not know. */
  'after-push',
  /** The terminal state is stored, and nothing of its pipeline has run. */
  'after-end',
  /** The bead has moved, and its follow-up is not filed. */
  'after-bead-move',
  /** The follow-up is filed, and the step is not recorded. */
  'after-follow-up',
  /** The bead's step is recorded; sync and cleanup have not run. */
  'after-bead-step',
  'before-remove',
  /** By a plan: the commit where a phase begins is stored. */
  'after-phase-begun',
  /** The next round of a phase is stored, and its work has not begun. */
  'after-round-begun',
  /** The work of subtasks is joined into one commit, and the store does not know it. */
  'before-tree-stored',
  /** The branch has the commit of a phase, and the store does not know it is approved. */
  'before-phase-stored',
  'after-phase-approved',
  /** The wait for a person between two phases is stored. */
  'after-wait-stored',
  'before-reason-stored',
  /** The reason for a stop is stored, and nothing has been told to stop. */
  'after-reason-stored',
  'after-retry-stored',
  /** A client's request is done and noted, and the client has no answer yet. */
  'before-answer',
] as const

export type CrashPoint = (typeof crashPoints)[number]

let armed: { at: CrashPoint; left: number } | null = null

/** Arms a point: passing it the `n`-th time ends the process. Throws for an unknown point. */
export function armCrashPoint(text: string): void {
  const [, name, times] = /^([a-z-]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  const at = crashPoints.find((point) => point === name)
  if (!at)
    throw new Error(`CRASH_AT=${text}: known points are ${crashPoints.join(', ')}, each with an optional :NUMBER`)
  armed = { at, left: Number(times ?? 1) }
}

/** Does nothing unless this point is armed. The process does not see its own end. */
export function crashPoint(at: CrashPoint): void {
  if (armed === null || armed.at !== at) return
  armed.left -= 1
  if (armed.left === 0) process.kill(process.pid, 'SIGKILL')
}
