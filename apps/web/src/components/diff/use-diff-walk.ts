import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { FileRead } from './files/file-read.ts'
import { lineOf, rowOfLine, type DiffRow, type FileShape } from './lines/diff-rows.ts'
import type { Surface } from './diff-surface.tsx'

/** The address follows once the reader has stayed at a file for this long: it draws the whole page again. */
const LINK_AFTER_MS = 150

/** The place in the address: a file, and a line of it after the change. */
export type DiffLink = { file: string | undefined; line: number | undefined }

type Given = {
  surface: RefObject<Surface | null>
  rows: readonly DiffRow[]
  shapes: readonly FileShape[]
  link: DiffLink
  onLink: (link: DiffLink) => void
}

export type DiffWalk = {
  /** Key of the row to mark. */
  marked: string | null
  row: DiffRow | undefined
  /** The file being read. */
  file: FileRead
  /** The file from which the next key starts. */
  fileNow: () => number
  /** The row from which the next key starts. */
  place: () => number
  showFile: (at: number) => void
  goToLine: (at: number, line: number) => void
  /** The marked line, if it is in this file. */
  lineIn: (at: number) => number | null
  hunk: (way: 1 | -1) => void
  /** Marks the next line that the diff added, after the marked one or the place of the reader. */
  nextAdded: () => void
  step: (way: 1 | -1) => void
  /** Called when the reader scrolls by hand. */
  moved: () => void
  /** Called when this file reaches the top. */
  top: (file: number) => void
}

/** Runs the last request once no other came for a moment; after the page has changed, runs nothing. */
function useLater(): (run: (() => void) | null) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (run) => {
    clearTimeout(timer.current)
    if (run !== null) timer.current = setTimeout(run, LINK_AFTER_MS)
  }
}

/** The line number of an added line; null for all other rows. */
function addedIn(row: DiffRow): number | null {
  const line = row.is === 'line' ? row.line : row.is === 'pair' ? row.right : null
  return line?.kind === 'added' ? line.now : null
}

/** The reader's place, and the ways from it: keys, clicks and links. */
export function useDiffWalk({ surface, rows, shapes, link, onLink }: Given): DiffWalk {
  const [marked, setMarked] = useState<string | null>(null)
  const markedRow = useMemo(() => rows.find(({ key }) => key === marked), [rows, marked])
  const [file] = useState(() => new FileRead())
  /** The row that a key or click went to; the next key continues from there, unless the reader has scrolled. */
  const cursor = useRef<string | null>(null)
  const later = useLater()
  const place = (): number => {
    const at = rows.findIndex(({ key }) => key === cursor.current)
    return at >= 0 ? at : (surface.current?.top() ?? 0)
  }
  const fileNow = (): number => rows[place()]?.file ?? 0
  const showFile = (at: number, link: 'now' | 'later' | 'not' = 'now') => {
    const row = rows.findIndex((one) => one.is === 'head' && one.file === at)
    if (row < 0) return
    surface.current?.show(row)
    cursor.current = rows[row]?.key ?? null
    setMarked(null)
    file.is(at)
    const path = shapes[at]?.file.path
    if (link === 'not' || path === undefined) return
    const tell = () => onLink({ file: path, line: undefined })
    if (link === 'later') later(tell)
    else {
      later(null)
      tell()
    }
  }
  const hunk = (way: 1 | -1) => {
    // Without a cursor the row on top may itself be the next one.
    let at = rows.some(({ key }) => key === cursor.current) || way === -1 ? place() + way : place()
    while (at >= 0 && at < rows.length && rows[at]?.is !== 'hunk') at += way
    const row = rows[at]
    if (!row) return
    surface.current?.show(at)
    cursor.current = row.key
    setMarked(row.key)
    file.is(row.file)
  }

  // The page was opened with a link: go to its file, and to its line as soon as the patch is there.
  const linked = useRef(link.file !== undefined)
  useEffect(() => {
    const at = shapes.findIndex((one) => one.file.path === link.file)
    if (!linked.current || at < 0) return
    const patch = shapes[at]?.patch.is
    const row = link.line === undefined ? -1 : rowOfLine(rows, at, link.line)
    if (row < 0) showFile(at, 'not')
    else {
      // Leaves some lines above it.
      surface.current?.show(Math.max(rows.findIndex((one) => one.file === at) + 1, row - 4))
      cursor.current = rows[row]?.key ?? null
      setMarked(cursor.current)
    }
    if (link.line === undefined || patch !== 'waiting') linked.current = false
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows])

  return {
    marked,
    row: markedRow,
    file,
    fileNow,
    place,
    showFile: (at) => showFile(at),
    goToLine(at, line) {
      later(null)
      onLink({ file: shapes[at]?.file.path, line })
      setMarked(rows[rowOfLine(rows, at, line)]?.key ?? null)
    },
    lineIn(at) {
      return markedRow?.file === at ? (lineOf(markedRow)?.now ?? null) : null
    },
    hunk,
    nextAdded() {
      const marks = rows.findIndex(({ key }) => key === marked)
      const at = rows.findIndex((row, index) => index > (marks < 0 ? place() : marks) && addedIn(row) !== null)
      const row = rows[at]
      const line = row && addedIn(row)
      if (!row || line === null || line === undefined) return
      surface.current?.show(Math.max(0, at - 4))
      cursor.current = row.key
      setMarked(row.key)
      later(() => onLink({ file: shapes[row.file]?.file.path, line }))
    },
    step: (way) => showFile(Math.max(0, Math.min(shapes.length - 1, fileNow() + way)), 'later'),
    moved() {
      cursor.current = null
    },
    top(at) {
      if (cursor.current === null) file.is(at)
    },
  }
}
