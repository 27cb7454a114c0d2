import type { Parser } from './parsers.ts'
import { textOf, type Pumped } from './pumped.ts'

/** Milliseconds of this thread's own processor time, which does not grow while it waits for a busy processor. */
export function workOf(read: (text: string) => unknown, text: string, times = 1): number {
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time++) read(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** So many measurements; the least counts, because other work on the same processor only ever adds. */
const MEASURED = 5

/** Works as parsers do, but is independent of ours: lines, a pattern for each of them, and JSON. */
const bare = (text: string): number =>
  text.split('\n').reduce((sum, line) => sum + (/^\w+: (.*)$/.exec(line)?.[1]?.length ?? Number(JSON.parse(line))), 0)
const BARE_TEXT = Array.from({ length: 200_000 }, (_, at) => (at % 2 === 0 ? `a${at}: b c d` : `${at}`)).join('\n')
/** Milliseconds of `bare` on the quiet processor on which the limits were measured. */
const BARE_MS = 17

/**
 * Milliseconds of a quiet processor. A thread's own time leaves out waiting, but still grows on a processor that is
 * shared, throttled, or has other data in its caches: with ten processes per processor, the same work took up to 2.5
 * times as long. So work of known time is measured beside it.
 */
export function quietWorkOf(read: (text: string) => unknown, text: string): number {
  let [work, beside] = [Infinity, Infinity]
  for (let time = 0; time < MEASURED; time++) {
    work = Math.min(work, workOf(read, text))
    beside = Math.min(beside, workOf(bare, BARE_TEXT))
  }
  return work / Math.max(1, beside / BARE_MS)
}

/** Twice the text is twice the work, and a little more because of memory. A quadratic reading has 4. */
export const MOST_GROWTH = 2.3

/**
 * So many doublings at once: other work may make one reading half as slow again, but five quadratic doublings are 32
 * times too slow.
 */
const DOUBLINGS = 5
/** Ten rounds of a short reading would fit into one bad moment of a loaded machine. */
const ROUNDS = 50
/** Enough for a kernel that counts a thread's time in steps of 4 ms. */
const LEAST_MS = 16
/** A text that is read more often than this within `LEAST_MS` cannot be slow. */
const MOST_TIMES = 16

/**
 * The factor of work for twice the text. The short text is read as many times more often as it is shorter. The least of
 * several rounds counts, since garbage, compiling and other work only ever add. Rounds continue while the factor is too
 * large.
 */
export function growthOf({ read, most }: Pick<Parser, 'read' | 'most'>, pumped: Pumped): number {
  const [short, long] = [textOf(pumped, most / 2 ** DOUBLINGS), textOf(pumped, most)]
  const ratio = long.length / short.length
  let times = 1
  while (times <= MOST_TIMES && workOf(read, long, times) < LEAST_MS) times *= 2
  if (times > MOST_TIMES) return 1
  let [one, many] = [Infinity, Infinity]
  const growth = (): number => 2 * (many / one) ** (1 / DOUBLINGS)
  for (let round = 0; round < ROUNDS; round++) {
    one = Math.min(one, workOf(read, short, Math.ceil(times * ratio)))
    many = Math.min(many, workOf(read, long, times))
    if (growth() <= MOST_GROWTH) break
  }
  return growth()
}
