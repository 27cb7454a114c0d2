import { expect, test } from 'vitest'
import type { DiffNote } from '../diff-notes.ts'
import { diffRows, rowOfLine, type FileShape } from './diff-rows.ts'
import { patchLines, type PatchLine } from './patch-lines.ts'
import { columnsOf, rowHeight } from './row-height.ts'
import { placeOf, samePlace } from '../same-place.ts'

const patch = (...lines: string[]) =>
  ({ is: 'here', lines: patchLines(`@@ -1,9 +1,9 @@\n${lines.join('\n')}\n`), cut: false }) as const
const shape = (path: string, over: Partial<FileShape> = {}): FileShape => ({
  file: { path, oldPath: null, status: 'M', added: 1, removed: 1, blob: 'b' },
  open: true,
  folded: null,
  patch: patch(' one', '-two', '+zwei', ' three'),
  notes: [],
  ...over,
})
const note = (number: number, line: number | null) => ({ issue: { number }, line, outdated: false }) as DiffNote
const kinds = (shapes: FileShape[], split = false) => diffRows(shapes, split).map(({ is }) => is)

test('a file is its head and its lines; a folded one is its head and the reason', () => {
  expect(kinds([shape('a'), shape('b', { open: false, folded: 'A lock file.' }), shape('c', { open: false })])).toEqual(
    ['head', 'hunk', 'line', 'line', 'line', 'line', 'head', 'folded', 'head'],
  )
  expect(kinds([shape('a')], true)).toEqual(['head', 'hunk', 'pair', 'pair', 'pair'])
})

test('a wholly new or deleted file takes both columns', () => {
  const whole = (status: string, hunk: string) =>
    shape('a', {
      file: { ...shape('a').file, status },
      patch: { is: 'here', lines: patchLines(`${hunk}\n`), cut: false },
    })
  expect(kinds([whole('A', '@@ -0,0 +1 @@\n+one')], true)).toEqual(['head', 'hunk', 'line'])
  expect(kinds([whole('D', '@@ -1 +0,0 @@\n-one')], true)).toEqual(['head', 'hunk', 'line'])
  expect(kinds([shape('b')], true)).toContain('pair')
})

test('a loading patch takes about its room, and a failed one says why', () => {
  expect(diffRows([shape('a', { patch: { is: 'waiting' } })], false)[1]).toMatchObject({ is: 'waiting', lines: 8 })
  expect(kinds([shape('a', { patch: { is: 'failed', message: 'no' } })])).toEqual(['head', 'failed'])
})

test('an issue is under its line in both arrangements; without a line, or outside of it, it is at the head', () => {
  const rows = diffRows([shape('a', { notes: [note(1, 2), note(2, null), note(3, 99)] })], false)
  expect(rows.map((row) => (row.is === 'note' ? `${row.note.issue.number} ${row.outside}` : row.is))).toEqual([
    'head',
    '2 false',
    '3 true',
    'hunk',
    'line',
    'line',
    'line',
    '1 false',
    'line',
  ])
  expect(kinds([shape('a', { notes: [note(1, 2)] })], true)).toEqual(['head', 'hunk', 'pair', 'pair', 'note', 'pair'])
})

test('every row has a name of its own', () => {
  const all = [shape('a', { notes: [note(1, 2), note(2, null)] }), shape('b'), shape('c', { open: false, folded: 'x' })]
  for (const split of [false, true]) {
    const keys = diffRows(all, split).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  }
})

test('the read line is found again after lines came above it, in the other arrangement, and when it is gone', () => {
  const before = [shape('a'), shape('b')]
  const rows = diffRows(before, false)
  const path = (shapes: FileShape[]) => (at: number) => shapes[at]?.file.path ?? ''
  const three = rows.findIndex((row) => row.file === 1 && row.is === 'line' && row.line.text === 'three')
  const place = placeOf(rows[three]!, 'b')
  const textAt = (shapes: FileShape[], split = false) => {
    const found = diffRows(shapes, split)
    const row = found[samePlace(found, path(shapes), place)]
    return row?.is === 'line' ? row.line.text : row?.is === 'pair' ? row.right?.text : `${row?.is} ${row?.file}`
  }
  expect(textAt(before)).toBe('three')
  expect(textAt(before, true)).toBe('three')
  expect(textAt([shape('0'), shape('a'), shape('b', { patch: patch('+x', '+y', ' one', '-two', ' three') })])).toBe(
    'three',
  )
  expect(textAt([shape('b', { patch: patch(' one', '+zwei', '+drei') })])).toBe('drei')
  expect(textAt([shape('a'), shape('b', { open: false })])).toBe('head 1')
  expect(samePlace(diffRows([shape('a')], false), path([shape('a')]), place)).toBe(-1)
})

test('a line of a link is found by its number in the present file', () => {
  for (const split of [false, true]) {
    const rows = diffRows([shape('a'), shape('b')], split)
    const row = rows[rowOfLine(rows, 1, 2)]
    expect(row?.file).toBe(1)
    expect(row?.is === 'line' ? row.line.text : row?.is === 'pair' && row.right?.text).toBe('zwei')
    expect(rowOfLine(rows, 1, 40)).toBe(-1)
  }
})

test("a row's estimated height fits its text, so nothing is laid out twice", () => {
  const columns = columnsOf(1000, 8)
  expect(columns).toEqual({ stacked: 109, split: 53 })
  expect(columnsOf(0, 8)).toBeNull()
  const of = (text: string): PatchLine => ({ kind: 'added', old: null, now: 1, text })
  const line = (text: string) => rowHeight({ is: 'line', key: '', file: 0, line: of(text), mate: null }, columns)
  expect(['', 'x'.repeat(109), 'x'.repeat(110), '\t'.repeat(28), 'x'.repeat(9999)].map(line)).toEqual([
    20, 20, 40, 40, 380,
  ])
  expect(rowHeight({ is: 'pair', key: '', file: 0, left: of('x'), right: of('x'.repeat(54)) }, columns)).toBe(40)
  expect(rowHeight({ is: 'pair', key: '', file: 0, left: of('x'.repeat(54)), right: null }, null)).toBe(20)
})
