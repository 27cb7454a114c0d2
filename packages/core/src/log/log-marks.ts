import { z } from 'zod/mini'

/** So many lines a request for marks may ask for. */
export const MARKED_LINES = 8192

const whole = z.int().check(z.nonnegative())

/**
 * `GET /api/sessions/:session/log/marks`: when the lines [from, to) were printed, and which of them on standard error.
 *
 * - `times`: `[line, milliseconds UTC]` in order; a line without an entry has the time of the nearest entry before it.
 *   The first entry is that of `from`. Where the times of the first lines are not known it comes later, and where none
 *   is known there is none.
 * - `stderr`: `[first, last]`, both included, in order.
 */
export const LogMarks = z.strictObject({
  from: whole,
  to: whole,
  times: z.array(z.tuple([whole, whole])),
  stderr: z.array(z.tuple([whole, whole])),
})
export type LogMarks = z.infer<typeof LogMarks>
