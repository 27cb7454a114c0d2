import { lineOf, type DiffRow } from './lines/diff-rows.ts'

/** Identifies a row in other rows: those of another version or arrangement. */
export type Place = { path: string; is: DiffRow['is']; key: string; number: number | null; text: string }

export function placeOf(row: DiffRow, path: string): Place {
  const line = lineOf(row)
  return { path, is: row.is, key: row.key, number: line?.now ?? line?.old ?? null, text: line?.text ?? '' }
}

/**
 * The index of a reader's row in other rows. Tries the same row; the nearest line of the file with the same text; the
 * line with the nearest number; the file's head. -1 if the file is gone.
 */
export function samePlace(rows: readonly DiffRow[], pathOf: (file: number) => string, place: Place): number {
  let [head, exact, near, nearBy] = [-1, -1, -1, Infinity]
  let [alike, alikeBy] = [-1, Infinity]
  let [file, isFile] = [-1, false]
  for (const [at, row] of rows.entries()) {
    if (row.file !== file) [file, isFile] = [row.file, pathOf(row.file) === place.path]
    if (!isFile) continue
    if (row.is === 'head') head = at
    const line = lineOf(row)
    if (row.key === place.key && (line?.text ?? '') === place.text) exact = at
    const number = line?.now ?? line?.old ?? null
    if (line === null || number === null || place.number === null) continue
    const by = Math.abs(number - place.number)
    if (by < nearBy) [near, nearBy] = [at, by]
    if (line.text === place.text && by < alikeBy) [alike, alikeBy] = [at, by]
  }
  return [exact, alike, near, head].find((at) => at >= 0) ?? -1
}
