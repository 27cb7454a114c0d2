/**
 * Durations in milliseconds, for people.
 */

/** From the largest to the smallest, in milliseconds. */
const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]

/** 93000 → "1m 33s": the two largest units, rounded down; units that are zero are left out. */
export function formatDuration(ms) {
  if (!Number.isFinite(ms) || ms < 0) throw new RangeError(`not a duration: ${ms}`)
  let rest = Math.floor(ms)
  const parts = []
  for (const [name, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${name}`)
  }
  return parts.slice(0, 2).join(' ') || '0ms'
}
