import { z } from 'zod/mini'

/** The most lines that one request for marks may cover. */
export const MARKED_LINES = 8192

const whole = z.int().check(z.nonnegative())

/**
 * `GET /api/sessions/:session/log/marks`: the times of the lines [from, to), and those printed on standard error.
 *
 * - `times`: `[line, milliseconds UTC]` in order; a line without an entry has the time of the nearest entry before it.
 *   The first entry is for `from`, or for a later line if the first lines have no known time. The list is empty if no
 *   time is known.
 * - `stderr`: `[first, last]`, both included, in order.
 */
export const LogMarks = z.strictObject({
  from: whole,
  to: whole,
  times: z.array(z.tuple([whole, whole])),
  stderr: z.array(z.tuple([whole, whole])),
})
export type LogMarks = z.infer<typeof LogMarks>
