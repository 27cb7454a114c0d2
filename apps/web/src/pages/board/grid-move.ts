export type GridStep = 'up' | 'down' | 'left' | 'right'
export type GridPlace = { column: number; row: number }

/** The next place in columns of different lengths. Skips empty columns; stays put at the edges. */
export function moveInGrid(lengths: readonly number[], from: GridPlace | null, step: GridStep): GridPlace | null {
  if (from === null) {
    const column = lengths.findIndex((length) => length > 0)
    return column < 0 ? null : { column, row: 0 }
  }
  const length = lengths[from.column] ?? 0
  if (step === 'up') return { ...from, row: Math.max(0, from.row - 1) }
  if (step === 'down') return { ...from, row: Math.min(length - 1, from.row + 1) }
  const delta = step === 'left' ? -1 : 1
  for (let column = from.column + delta; column >= 0 && column < lengths.length; column += delta) {
    const rows = lengths[column] ?? 0
    if (rows > 0) return { column, row: Math.min(from.row, rows - 1) }
  }
  return from
}
