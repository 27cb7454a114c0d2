import { z } from 'zod/mini'
import { SessionEnd } from './session-note.ts'

/*
 * What the server asks of a supervisor, one stream of the link for each order, and what it is answered. The kind of the
 * stream is the order's name. Its answer is one JSON object, except for `sessions`. Every order may be repeated: a
 * server that died in the middle asks again.
 */

/** The name of a session, of its spool, and of its folder on the container's disk. */
export const SessionName = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/))

const words = z.string().check(z.maxLength(200_000))
const milliseconds = z.int().check(z.nonnegative(), z.lte(600_000))
/** Bytes of an order; the kernel takes 2 MiB of arguments and environment. */
export const MOST_OF_AN_ORDER = 2 * 1024 * 1024

/** Characters of a session's order that are handed over at a gate. A longer one is asked for; most have some thousands. */
export const MOST_AT_A_GATE = 256 * 1024

/**
 * The body of `session-start`; the session's name is in the header. Without an environment of its own, because what a
 * supervisor was started with is nobody's business.
 */
export const SessionStart = z.strictObject({
  argv: z.array(words).check(z.minLength(1), z.maxLength(10_000)),
  env: z.record(z.string().check(z.maxLength(1000)), words),
  cwd: z.string().check(z.startsWith('/'), z.maxLength(4096)),
  /**
   * What `GET /session` will answer (`session-order.ts`), as JSON. A process that was started ahead gets it at its gate and need
   * not ask; every other one asks.
   */
  sessionOrder: z.optional(z.string().check(z.maxLength(MOST_AT_A_GATE))),
})
export type SessionStart = z.infer<typeof SessionStart>

/** SIGTERM for the session's first process, and SIGKILL for everything that is left after `graceMs`. */
export const SessionStop = z.strictObject({ session: SessionName, graceMs: milliseconds })
/** The header of `session-start` and `session-forget`. */
export const SessionOf = z.strictObject({ session: SessionName })

/*
 * `session-ahead` has the body of the `session-start` that comes next, probably: its process is started already, and
 * waits until then (`GATE` in `session-order.ts`). Another order than that one starts a process of its own.
 *
 * `set-aside` is for a container that becomes an image: what is in its workspace goes to where the containers of that image copy it
 * from when they start.
 */
export const orders = [
  'session-start',
  'session-ahead',
  'session-stop',
  'session-forget',
  'set-aside',
  'sessions',
] as const
export type OrderKind = (typeof orders)[number]

const offset = z.int().check(z.nonnegative())
/**
 * One session as the supervisor sees it. `end` of the spool: its offset behind the last record; `acknowledged`: what the
 * supervisor knows to be stored.
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
 * A line of `sessions`: the first says everything, and each later one everything anew after a change. `clean`: nothing
 * of the last session is alive. `starts`: how often this container's supervisor was started; more than 1 means that
 * somebody killed it.
 */
export const SupervisorState = z.object({
  starts: z.int(),
  clean: z.boolean(),
  sessions: z.array(SessionView),
})
export type SupervisorState = z.infer<typeof SupervisorState>

/**
 * - `busy`: another session runs; `unclean`: something of the last one cannot be killed, so no other may start;
 * - `disk-full`: no room for the spool; `unwritable`: somebody has made its folder unusable;
 * - `unknown`: no such session; `running`: it cannot be forgotten yet;
 * - `bad-order`: the order cannot be read.
 */
export const refusals = ['busy', 'unclean', 'disk-full', 'unwritable', 'unknown', 'running', 'bad-order'] as const
export type Refusal = { refused: (typeof refusals)[number]; detail: string }

/** What a supervisor says of a copy that takes long, and at its end; until then it answers nothing. */
export const COPYING = 'Copying the workspace into this container.'
export const COPIED = 'The workspace is copied.'

const fileName = z.string().check(z.maxLength(255))
/** Of names that an answer has. */
export const MOST_LEFT = 100

export const OrderAnswer = z.union([
  z.object({ session: SessionView }),
  z.object({ refused: z.enum(refusals), detail: z.string() }),
  z.object({ forgotten: z.literal(true) }),
  z.object({ ahead: z.literal(true) }),
  /** What is too large to be copied each time, or cannot be. */
  z.object({ left: z.array(fileName).check(z.maxLength(MOST_LEFT)) }),
])
export type OrderAnswer = z.infer<typeof OrderAnswer>
