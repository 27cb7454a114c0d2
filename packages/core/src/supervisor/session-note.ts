import { z } from 'zod/mini'

/*
 * What the supervisor says about a session within its output, at the place where it happened, and how a session ended.
 * The order of a session is in `session-control.ts`.
 */

const count = z.int().check(z.nonnegative())
const words = z.string().check(z.maxLength(1000))

/**
 * How a session ended, as the supervisor claims it.
 *
 * - `exited`: its first process ended by itself; `stopped`: we were asked to end it;
 * - `not-started`: there never was a process; `detail` says why;
 * - `unknown`: the supervisor was killed, or the container was started again; nobody saw the end.
 */
export const SessionEnd = z.object({
  how: z.enum(['exited', 'stopped', 'not-started', 'unknown']),
  /** Of the first process; null when a signal ended it, or nobody knows. */
  code: z.nullable(z.int().check(z.gte(-1), z.lte(255))),
  /** `SIGKILL` and so on, when a signal ended the first process. */
  signal: z.nullable(z.string().check(z.maxLength(20))),
  /** SIGKILL came from the supervisor, because SIGTERM had not been enough. */
  killed: z.boolean(),
  /** Processes that the kernel killed in this container meanwhile because memory ran out; null when it cannot be seen. */
  memoryKills: z.nullable(count),
  /** Processes that had to be killed after the first one had ended. */
  leftBehind: count,
  startedAt: count,
  finishedAt: count,
  detail: words,
})
export type SessionEnd = z.infer<typeof SessionEnd>

export const SessionNote = z.discriminatedUnion('note', [
  /** Writing fails on this disk from about here on, also for the session's own output. */
  z.object({ note: z.literal('disk-full') }),
  z.object({ note: z.literal('disk-has-room') }),
  /** The spool is at its bound: every process of the session is stopped (SIGSTOP) until the server has stored it. */
  z.object({ note: z.literal('held'), bytes: count }),
  z.object({ note: z.literal('continued'), afterMs: count }),
  /** Somebody cut the file that this stream is written to: what was in it and had not been read is gone. */
  z.object({ note: z.literal('cut'), stream: z.enum(['stdout', 'stderr']), bytes: count }),
  /** The last record of every spool. */
  z.object({ note: z.literal('ended'), end: SessionEnd }),
])
export type SessionNote = z.infer<typeof SessionNote>

/** Null: these are no words of a supervisor that we know; a newer one may have more. */
export function parseNote(text: string): SessionNote | null {
  try {
    const parsed = SessionNote.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** As a shell would say it; numbers as Linux has them on every processor that we know. */
const numbers: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9, SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGXCPU: 24, SIGXFSZ: 25, SIGSYS: 31 } // prettier-ignore

export type SessionExit = {
  /** 128 + the signal's number for a process that a signal ended; -1 when nobody knows. */
  code: number
  oomKilled: boolean
  lost: boolean
  /** Nobody saw the end: the supervisor was killed. Its container may well be there. */
  unseen?: boolean
  /** By a signal that was not ours. */
  killed: boolean
  startedAt: number
  finishedAt: number
}

/**
 * The end in the words of the engine's port. A process that the kernel killed because memory ran out need not be the first
 * one, whose exit code then only tells of it: so it is out of memory if the kernel killed any and the session failed.
 */
export function exitOf(end: SessionEnd): SessionExit {
  const { startedAt, finishedAt } = end
  const lost = end.how === 'unknown'
  const code = end.code ?? (end.signal === null ? -1 : 128 + (numbers[end.signal] ?? 0))
  const oomKilled = (end.memoryKills ?? 0) > 0 && code !== 0 && end.how === 'exited'
  const killed = end.signal !== null && end.how === 'exited' && !oomKilled
  return { code, oomKilled, lost, killed, startedAt, finishedAt, ...(lost && { unseen: true }) }
}
