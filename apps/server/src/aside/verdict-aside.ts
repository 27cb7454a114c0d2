import { verdictReadings, type VerdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import { orStopped } from './aside-thread.ts'
import type { AsideThreads } from './aside-threads.ts'
import { SMALL_BYTES, VERDICT_DEARNESS } from './bounds.ts'

/** Does a reading for a verdict; null: it takes too much work. */
export async function verdictAside<K extends keyof VerdictReadings>(
  threads: AsideThreads,
  reading: K,
  given: Parameters<VerdictReadings[K]>,
): Promise<ReturnType<VerdictReadings[K]> | null> {
  const size = sizeOf(given)
  // The table has types for each name; the compiler cannot follow a name that is only known later.
  const read = verdictReadings[reading] as (...input: unknown[]) => ReturnType<VerdictReadings[K]>
  if (size <= SMALL_BYTES) return read(...given)
  const answer = await threads.inTurn((thread) =>
    thread.ask({ do: 'verdict', reading, given }, size * VERDICT_DEARNESS),
  )
  if (answer !== null && 'verdict' in answer) return answer.verdict as ReturnType<VerdictReadings[K]>
  orStopped(answer, 'the tests of a change were compared')
  return null
}

/** All characters of all texts, and a little for each value: a list of a thousand short names is not small. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  const inside = value instanceof Set || Array.isArray(value) ? [...(value as Iterable<unknown>)] : Object.values(value)
  return inside.reduce<number>((sum, one) => sum + sizeOf(one), 1)
}
