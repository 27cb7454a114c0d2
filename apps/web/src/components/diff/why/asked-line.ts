import type { AskedLine } from './why-line.tsx'
import type { DiffRow, FileShape } from '../lines/diff-rows.ts'

/** The marked line, if the diff added it: only added lines have a step that wrote them. */
export function askedLine(row: DiffRow | undefined, shapes: readonly FileShape[]): AskedLine | null {
  const line = row?.is === 'line' ? row.line : row?.is === 'pair' ? row.right : null
  const path = row && shapes[row.file]?.file.path
  if (!line || line.kind !== 'added' || line.now === null || path === undefined) return null
  return { path, line: line.now, text: line.text.slice(0, 4096) }
}
