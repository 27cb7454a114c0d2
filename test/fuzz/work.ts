import type { Parser } from './parsers.ts'
import { textOf, type Pumped } from './pumped.ts'

/** Milliseconds of this thread's own processor time, which waiting for a busy processor does not lengthen. */
export function workOf(read: (text: string) => unknown, text: string, times = 1): number {
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time++) read(text)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** A reading's least work of so many counts: neighbours on the same processor only ever add. */
const MEASURED = 5

/** Reads as parsers do, and is none of ours: lines, a pattern for each of them, and JSON. */
const bare = (text: string): number =>
  text.split('\n').reduce((sum, line) => sum + (/^\w+: (.*)$/.exec(line)?.[1]?.length ?? Number(JSON.parse(line))), 0)
const BARE_TEXT = Array.from({ length: 200_000 }, (_, at) => (at % 2 === 0 ? `a${at}: b c d` : `${at}`)).join('\n')
/** Milliseconds that it takes on a quiet processor like the one on which the limits were measured. */
const BARE_MS = 17

/**
 * Milliseconds of a quiet processor. A thread's own time leaves out waiting, but not a processor that is shared, throttled, or
 * has another's data in its caches: with ten processes for each, the same work took up to 2.5 times as long. So other work is
 * measured beside it, whose time is known.
 */
export function quietWorkOf(read: (text: string) => unknown, text: string): number {
  let [work, beside] = [Infinity, Infinity]
  for (let time = 0; time < MEASURED; time++) {
    work = Math.min(work, workOf(read, text))
    beside = Math.min(beside, workOf(bare, BARE_TEXT))
  }
  return work / Math.max(1, beside / BARE_MS)
}

/** Twice the text is twice the work, and a little for what gets dearer with memory. A quadratic reading has four. */
export const MOST_GROWTH = 2.3

/** So many doublings at once: neighbours may make one reading half as slow again, and five of what is quadratic are 32. */
const DOUBLINGS = 5
/** A short reading's ten rounds are over within one bad moment of a loaded machine. */
const ROUNDS = 50
/** A kernel may count the time of a thread in steps of 4 ms. */
const LEAST_MS = 16
/** What is read so often within that cannot be slow. */
const MOST_TIMES = 16

/**
 * How many times the work is when the text is twice as long. A short text is read as often as it is shorter. The least of
 * several rounds counts, since garbage, compiling and neighbours only ever add; they go on for as long as it looks like too
 * much.
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
