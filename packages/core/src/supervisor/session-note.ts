import { z } from 'zod/mini'

/*
 * The supervisor's notes about a session, placed in its output where they happened, and the end of a session. The order
 * of a session is in `session-control.ts`.
 */

const count = z.int().check(z.nonnegative())
const words = z.string().check(z.maxLength(1000))

/**
 * The end of a session, as the supervisor claims it.
 *
 * - `exited`: its first process ended by itself; `stopped`: we were asked to end it;
 * - `not-started`: no process was ever started; `detail` says why;
 * - `unknown`: the supervisor was killed, or the container was started again; nobody saw the end.
 */
export const SessionEnd = z.object({
  how: z.enum(['exited', 'stopped', 'not-started', 'unknown']),
  /** The first process's exit code; null if a signal ended it, or if not known. */
  code: z.nullable(z.int().check(z.gte(-1), z.lte(255))),
  /** `SIGKILL` and so on, if a signal ended the first process. */
  signal: z.nullable(z.string().check(z.maxLength(20))),
  /** The supervisor sent SIGKILL, because SIGTERM had not been enough. */
  killed: z.boolean(),
  /** Processes that the kernel has killed in this container meanwhile because memory ran out; null if not visible. */
  memoryKills: z.nullable(count),
  /** Processes that had to be killed after the first one had ended. */
  leftBehind: count,
  startedAt: count,
  finishedAt: count,
  detail: words,
})
export type SessionEnd = z.infer<typeof SessionEnd>

export const SessionNote = z.discriminatedUnion('note', [
  /** From about here on, writing to this disk fails, also for the session's own output. */
  z.object({ note: z.literal('disk-full') }),
  z.object({ note: z.literal('disk-has-room') }),
  /** The spool is at its bound: every process of the session is stopped (SIGSTOP) until the server has stored it. */
  z.object({ note: z.literal('held'), bytes: count }),
  z.object({ note: z.literal('continued'), afterMs: count }),
  /** Somebody truncated this stream's file: its unread bytes are gone. */
  z.object({ note: z.literal('cut'), stream: z.enum(['stdout', 'stderr']), bytes: count }),
  /** The last record of every spool. */
  z.object({ note: z.literal('ended'), end: SessionEnd }),
])
export type SessionNote = z.infer<typeof SessionNote>

/** Null: not a known note; a newer supervisor may have more. */
export function parseNote(text: string): SessionNote | null {
  try {
    const parsed = SessionNote.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Signal numbers for a shell's exit codes, the same on Linux for every processor that we know. */
const numbers: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9, SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGXCPU: 24, SIGXFSZ: 25, SIGSYS: 31 } // prettier-ignore

export type SessionExit = {
  /** 128 + the signal's number for a process that a signal ended; -1 if not known. */
  code: number
  oomKilled: boolean
  lost: boolean
  /** Nobody saw the end: the supervisor was killed. Its container may still exist. */
  unseen?: boolean
  /** Killed by a signal that was not ours. */
  killed: boolean
  startedAt: number
  finishedAt: number
}

/**
 * The end in the words of the engine's port. If memory ran out, the kernel may have killed another process than the
 * first, whose exit code only follows from it. So the session counts as out of memory if the kernel killed any process
 * and the session failed.
 */
export function exitOf(end: SessionEnd): SessionExit {
  const { startedAt, finishedAt } = end
  const lost = end.how === 'unknown'
  const code = end.code ?? (end.signal === null ? -1 : 128 + (numbers[end.signal] ?? 0))
  const oomKilled = (end.memoryKills ?? 0) > 0 && code !== 0 && end.how === 'exited'
  const killed = end.signal !== null && end.how === 'exited' && !oomKilled
  return { code, oomKilled, lost, killed, startedAt, finishedAt, ...(lost && { unseen: true }) }
}
