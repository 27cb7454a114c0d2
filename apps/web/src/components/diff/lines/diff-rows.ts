import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import type { DiffNote } from '../diff-notes.ts'
import { linesOf } from './fold-reason.ts'
import { mates, sides, type PatchLine } from './patch-lines.ts'

/** A file's patch, as far as it is loaded. */
export type PatchState =
  | { is: 'waiting' }
  | { is: 'failed'; message: string }
  | { is: 'here'; lines: readonly PatchLine[]; cut: boolean }

export type FileShape = {
  file: DiffFileView
  open: boolean
  /** The reason why it is folded; shown while it is. */
  folded: string | null
  patch: PatchState
  notes: readonly DiffNote[]
}

/** A row of the surface that holds all files. `file` is an index into the list of files. */
export type DiffRow = { key: string; file: number } & (
  | { is: 'head' }
  | { is: 'folded'; text: string }
  | { is: 'waiting'; lines: number }
  | { is: 'failed'; text: string }
  | { is: 'cut' }
  | { is: 'note'; note: DiffNote; outside: boolean }
  | { is: 'hunk'; text: string }
  | { is: 'end'; text: string }
  | { is: 'line'; line: PatchLine; mate: PatchLine | null }
  | { is: 'pair'; left: PatchLine | null; right: PatchLine | null }
)

const MOST_WAITING = 400
const CONTEXT = 6

/** All rows of a diff; `split`: two columns. */
export function diffRows(shapes: readonly FileShape[], split: boolean): DiffRow[] {
  return shapes.flatMap((shape, file) => {
    const known = made.get(shape)
    if (known?.file === file && known.split === split) return known.rows
    const rows = fileRows(shape, file, split)
    made.set(shape, { file, split, rows })
    return rows
  })
}

/** Keeps the rows of unchanged files: a patch that arrives rebuilds only its own. */
const made = new WeakMap<FileShape, { file: number; split: boolean; rows: readonly DiffRow[] }>()

function fileRows({ file: view, open, folded, patch, notes }: FileShape, file: number, split: boolean): DiffRow[] {
  const { path } = view
  const rows: DiffRow[] = [{ is: 'head', key: `head ${path}`, file }]
  if (!open) {
    if (folded !== null) rows.push({ is: 'folded', key: `folded ${path}`, file, text: folded })
    return rows
  }
  const lines = patch.is === 'here' ? patch.lines : []
  const there = new Set(lines.map(({ now }) => now))
  const note = (one: DiffNote, outside: boolean): DiffRow => ({
    is: 'note',
    key: `note ${one.issue.number} ${path}`,
    file,
    note: one,
    outside,
  })
  for (const one of notes)
    if (one.line === null) rows.push(note(one, false))
    else if (patch.is === 'here' && !there.has(one.line)) rows.push(note(one, true))
  const under = (now: number | null | undefined): DiffRow[] =>
    now === null || now === undefined ? [] : notes.filter(({ line }) => line === now).map((one) => note(one, false))
  if (patch.is === 'waiting')
    rows.push({
      is: 'waiting',
      key: `waiting ${path}`,
      file,
      lines: Math.min(MOST_WAITING, linesOf(view) + CONTEXT),
    })
  else if (patch.is === 'failed') rows.push({ is: 'failed', key: `failed ${path}`, file, text: patch.message })
  else {
    if (lines.length === 0) rows.push({ is: 'end', key: `end ${path}`, file, text: 'No changed lines to show.' })
    rows.push(...(split && !isOneSided(view) ? splitRows : stackedRows)(lines, path, file, under))
    if (patch.cut) rows.push({ is: 'cut', key: `cut ${path}`, file })
  }
  return rows
}

/** A file that is new or gone has no other side: two columns would leave one empty and wrap the other's lines. */
const isOneSided = ({ status }: DiffFileView): boolean => status === 'A' || status === 'D'

type Under = (now: number | null | undefined) => DiffRow[]

function stackedRows(lines: readonly PatchLine[], path: string, file: number, under: Under): DiffRow[] {
  const pairs = mates(lines)
  return lines.flatMap((line, at): DiffRow[] => {
    if (line.kind === 'hunk') return [{ is: 'hunk', key: `hunk ${at} ${path}`, file, text: line.text }]
    if (line.kind === 'note') return [{ is: 'end', key: `end ${at} ${path}`, file, text: line.text }]
    const key = `${line.old ?? ''}:${line.now ?? ''} ${path}`
    return [{ is: 'line', key, file, line, mate: pairs.get(line) ?? null }, ...under(line.now)]
  })
}

function splitRows(lines: readonly PatchLine[], path: string, file: number, under: Under): DiffRow[] {
  return sides(lines).flatMap(({ left, right }, at): DiffRow[] => {
    if (left?.kind === 'hunk') return [{ is: 'hunk', key: `hunk ${at}s ${path}`, file, text: left.text }]
    const key = `${left?.old ?? ''}|${right?.now ?? ''} ${path}`
    return [{ is: 'pair', key, file, left, right }, ...under(right?.now)]
  })
}

/** A row's line after the change; before it if the line is gone. */
export const lineOf = (row: DiffRow | undefined): PatchLine | null =>
  row?.is === 'line' ? row.line : row?.is === 'pair' ? (row.right ?? row.left) : null

/** The line at which a file's change begins, after the change; 1 while unknown. */
export const firstLine = ({ patch }: FileShape): number =>
  (patch.is === 'here' ? patch.lines.find(({ kind, now }) => kind === 'added' && now !== null)?.now : null) ?? 1

/** Index of the row of a file's line after the change; -1 if no row shows it. */
export const rowOfLine = (rows: readonly DiffRow[], file: number, now: number): number =>
  rows.findIndex(
    (row) =>
      row.file === file && (row.is === 'line' ? row.line.now === now : row.is === 'pair' && row.right?.now === now),
  )
