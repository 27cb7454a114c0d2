import { z } from 'zod/mini'
import { SessionEnd } from './session-note.ts'

/*
 * The server's orders to a supervisor, one stream of the link for each, and the answers. The stream's kind is the
 * order's name. The answer is one JSON object, except for `sessions`. Every order may be repeated: after a server's
 * death in the middle, the next one asks again.
 */

/** The name of a session, of its spool, and of its folder on the container's disk. */
export const SessionName = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/))

const words = z.string().check(z.maxLength(200_000))
const milliseconds = z.int().check(z.nonnegative(), z.lte(600_000))
/** Bytes of an order; the kernel takes 2 MiB of arguments and environment. */
export const MOST_OF_AN_ORDER = 2 * 1024 * 1024

/** The most characters of a session's order at a gate. The process asks for a longer one; most have some thousands. */
export const MOST_AT_A_GATE = 256 * 1024

/**
 * The body of `session-start`; the session's name is in the header. The session gets only this environment: it must not
 * see the supervisor's own.
 */
export const SessionStart = z.strictObject({
  argv: z.array(words).check(z.minLength(1), z.maxLength(10_000)),
  env: z.record(z.string().check(z.maxLength(1000)), words),
  cwd: z.string().check(z.startsWith('/'), z.maxLength(4096)),
  /**
   * The answer of `GET /session` (`session-order.ts`), as JSON. A process that was started ahead gets it at its gate;
   * every other process asks.
   */
  sessionOrder: z.optional(z.string().check(z.maxLength(MOST_AT_A_GATE))),
})
export type SessionStart = z.infer<typeof SessionStart>

/** SIGTERM for the session's first process, and SIGKILL for all remaining processes after `graceMs`. */
export const SessionStop = z.strictObject({ session: SessionName, graceMs: milliseconds })
/**
 * SIGTERM for the session's processes that began at most `youngerMs` ago, and SIGKILL a moment later; its first process
 * stays. So an agent loses what it runs, and keeps itself.
 */
export const SessionInterrupt = z.strictObject({ session: SessionName, youngerMs: z.int().check(z.nonnegative()) })
/** The header of `session-start` and `session-forget`. */
export const SessionOf = z.strictObject({ session: SessionName })

/*
 * `session-ahead` has the body of the probable next `session-start`: its process starts already, and waits until then
 * (`GATE` in `session-order.ts`). A different order starts a process of its own.
 *
 * `set-aside` is for a container that becomes an image: moves its workspace to the folder from which the image's
 * containers copy it at their start.
 */
export const orders = [
  'session-start',
  'session-ahead',
  'session-stop',
  'session-interrupt',
  'session-forget',
  'set-aside',
  'sessions',
] as const
export type OrderKind = (typeof orders)[number]

const offset = z.int().check(z.nonnegative())
/**
 * One session as the supervisor sees it. `end` of the spool: the offset after its last record; `acknowledged`: the
 * bytes that the supervisor knows to be stored.
 */
export const SessionView = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('running'),
    session: SessionName,
    startedAt: offset,
    pid: z.int(),
    /** Stopped because its spool is full. */
    held: z.boolean(),
    spool: z.object({ end: offset, acknowledged: offset }),
  }),
  z.object({
    state: z.literal('ended'),
    session: SessionName,
    end: SessionEnd,
    spool: z.object({ end: offset, acknowledged: offset }),
  }),
])
export type SessionView = z.infer<typeof SessionView>

/**
 * A line of `sessions`: the first has the whole state, and each later one the whole state after a change. `clean`: no
 * process of the last session is alive. `starts`: the number of starts of this container's supervisor; more than 1
 * means that somebody killed it.
 */
export const SupervisorState = z.object({
  starts: z.int(),
  clean: z.boolean(),
  sessions: z.array(SessionView),
})
export type SupervisorState = z.infer<typeof SupervisorState>

/**
 * - `busy`: another session runs; `unclean`: a process of the last one cannot be killed, so no other may start;
 * - `disk-full`: no room for the spool; `unwritable`: somebody has made its folder unusable;
 * - `unknown`: no such session; `running`: it cannot be forgotten yet;
 * - `bad-order`: the order cannot be read.
 */
export const refusals = ['busy', 'unclean', 'disk-full', 'unwritable', 'unknown', 'running', 'bad-order'] as const
export type Refusal = { refused: (typeof refusals)[number]; detail: string }

/** The supervisor's message about a copy that takes long, and at its end; until then it answers nothing. */
export const COPYING = 'Copying the workspace into this container.'
export const COPIED = 'The workspace is copied.'

const fileName = z.string().check(z.maxLength(255))
/** The most names in an answer. */
export const MOST_LEFT = 100

export const OrderAnswer = z.union([
  z.object({ session: SessionView }),
  z.object({ refused: z.enum(refusals), detail: z.string() }),
  z.object({ forgotten: z.literal(true) }),
  z.object({ ahead: z.literal(true) }),
  /** The number of processes that were ended. */
  z.object({ interrupted: z.int() }),
  /** Files that are too large to be copied each time, or cannot be copied. */
  z.object({ left: z.array(fileName).check(z.maxLength(MOST_LEFT)) }),
])
export type OrderAnswer = z.infer<typeof OrderAnswer>
