/** A line of a unified diff. `line`: its number in the new file; null for removed lines and heads. */
export type PatchRow = { kind: 'added' | 'removed' | 'same' | 'hunk'; line: number | null; text: string }

/** The hunks of one file's patch, without its head. */
export function patchRows(patch: string): PatchRow[] {
  const rows: PatchRow[] = []
  let next: number | null = null
  for (const text of patch.replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text)
    if (hunk) {
      next = Number(hunk[1])
      rows.push({ kind: 'hunk', line: null, text })
    } else if (next !== null) {
      const kind = text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'same'
      const counts = kind !== 'removed' && !text.startsWith('\\') // "\ No newline at end of file" is not a line
      rows.push({ kind, line: counts ? next : null, text })
      if (counts) next++
    }
  }
  return rows
}

/** Indices of the rows with an issue's lines; empty if the diff does not show them. */
export function rowsOfLines(rows: readonly PatchRow[], lines: readonly number[]): number[] {
  const wanted = new Set(lines)
  return rows.flatMap(({ line }, index) => (line !== null && wanted.has(line) ? [index] : []))
}

/** The part of the rows, around one of them, that can be drawn at once. */
export function windowAround(count: number, at: number, most: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), count - most))
  return { from, to: Math.min(count, from + most) }
}
