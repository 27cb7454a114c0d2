/** Several measurements of one thing, in one unit. */
export type Figure = { unit: Unit; values: number[] }
export type Unit = 'ms' | 'MB/s' | 'MB' | 'k lines/s' | 'events/s' | 'lines' | 'elements'

/**
 * One line of the table. `ratio` is ours divided by the baseline of the same round: a machine that becomes slower in
 * between slows both. The table shows its median.
 */
export type Row = {
  bench: string
  what: string
  ours: Figure
  baseline: { what: string; figure: Figure } | null
  aim: Aim | null
}

export type Aim = { of: 'ratio' | 'ours'; at: 'most' | 'least'; value: number }

/** A part of a row's time. Parts come in the order of time. */
export type Part = { what: string; figure: Figure }

export type Report = { rows: Row[]; parts: { title: string; parts: Part[] }[] }

export const figure = (unit: Unit, values: number[]): Figure => ({ unit, values })

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (low + high) / 2
}

/** Null if there is nothing to compare with. */
export function ratioOf({ ours, baseline }: Row): number | null {
  if (baseline === null) return null
  const bare = baseline.figure.values
  const pairs = ours.values.flatMap((value, round) => (bare[round] === undefined ? [] : [value / bare[round]]))
  return median(pairs)
}

export function isMet(row: Row): boolean | null {
  if (row.aim === null) return null
  const value = row.aim.of === 'ratio' ? ratioOf(row) : median(row.ours.values)
  if (value === null) return null
  return row.aim.at === 'most' ? value <= row.aim.value : value >= row.aim.value
}
