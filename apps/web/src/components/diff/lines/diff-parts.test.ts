import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import type { ReviewIssueView } from '@beadloom/core/api/reviews/review-api.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { expect, test } from 'vitest'
import { attemptRanges } from '../diff-ranges.ts'
import { changedFiles } from '../use-diff.ts'
import { codeText } from './code-text.ts'
import { notesByFile } from '../diff-notes.ts'
import { diffRanges, rangeOf } from '../diff-ranges.ts'
import { editorUrl, templateProblem } from '../editor-link.ts'
import { Fling } from '../fling.ts'
import { foldReason } from './fold-reason.ts'
import { markOf, parseMarks, withMark } from '../files/viewed-files.ts'
import { markWords } from './word-marks.ts'

const file = (path: string, over: Partial<DiffFileView> = {}): DiffFileView => ({
  path,
  oldPath: null,
  status: 'M',
  added: 1,
  removed: 1,
  blob: 'b1',
  ...over,
})

test('words that a line does not share with its mate are marked, and none if the two have little in common', () => {
  const marked = (text: string, mate: string) => markWords(text, mate).map((piece) => `${piece.marked}:${piece.text}`)
  expect(marked('return parse(text)', 'return read(text)')).toEqual(['false:return ', 'true:parse', 'false:(text)'])
  expect(marked('same', 'same')).toEqual(['false:same'])
  expect(marked('alpha beta', 'nothing like it')).toEqual(['false:alpha beta'])
  expect(markWords('w '.repeat(500), 'v')).toHaveLength(1)
})

test('characters that would be obeyed or not be seen are shown as a mark; a tab stays a tab', () => {
  expect(codeText('a\u202eb\tc\u0007\r\u001b[2J\u009b')).toBe('a‹U+202E›b\tc␇␍␛[2J‹U+009B›')
})

test('files that nobody reads start folded, with the reason', () => {
  expect(foldReason(file('src/a.ts'))).toBeNull()
  expect(foldReason(file('src/a.ts', { added: 500, removed: 301 }))).toBe('801 changed lines.')
  expect(foldReason(file('web/pnpm-lock.yaml'))).toBe('Lock file.')
  expect(foldReason(file('dist/app.min.js'))).toMatch(/generated/)
  expect(foldReason(file('src/distance/a.ts'))).toBeNull()
  expect(foldReason(file('logo.png', { added: null, removed: null }))).toBe('Binary file.')
  expect(foldReason(file('new.ts', { status: 'R', added: 0, removed: 0 }))).toBe('Renamed without changes.')
})

test('a viewed mark belongs to a content: it goes when the file changes, and returns with the old content', () => {
  const marks = withMark([], markOf(file('a.ts')), true)
  expect(marks.includes(markOf(file('a.ts')))).toBe(true)
  expect(marks.includes(markOf(file('a.ts', { blob: 'b2' })))).toBe(false)
  expect(marks.includes(markOf(file('b.ts')))).toBe(false)
  expect(withMark(marks, markOf(file('a.ts')), false)).toEqual([])
  expect(withMark(Array.from({ length: 2000 }, String), 'new', true)).toHaveLength(2000)
})

test('a stored value that is no list of marks is ignored', () => {
  expect(parseMarks('["a", 1, null, "b"]')).toEqual(['a', 'b'])
  expect(parseMarks('{"a": 1}')).toEqual([])
  expect(parseMarks('no JSON')).toEqual([])
  expect(parseMarks(null)).toEqual([])
})

test('files that changed, came or went are counted once', () => {
  const before = [file('a'), file('b'), file('c')]
  expect(changedFiles(before, before)).toBe(0)
  expect(changedFiles(before, [file('a'), file('b', { blob: 'b2' }), file('d')])).toBe(3)
})

const issue = (number: number, over: Partial<ReviewIssueView> = {}) =>
  ({ number, file_path: 'a', line_numbers: [3, 5], dismissed: null, beadStatus: 'open', ...over }) as ReviewIssueView

test('an issue is under its last line as long as the file is the reviewed one; then it is outdated', () => {
  const issues = [issue(1), issue(2, { line_numbers: [] }), issue(3, { dismissed: 'no' }), issue(4, { file_path: 'z' })]
  const notes = (to: string, now: string, reviewed: DiffFileView[] | null) =>
    notesByFile({ to: 'c1', issues }, to, [file('a', { blob: now })], reviewed)
      .get('a')
      ?.map(({ issue: { number }, line, outdated }) => [number, line, outdated])
  const fresh = [
    [1, 5, false],
    [2, null, false],
  ]
  expect(notes('c1', 'b9', null)).toEqual(fresh)
  expect(notes('c2', 'b1', [file('a')])).toEqual(fresh)
  expect(notes('c2', 'b2', [file('a')])).toEqual([
    [1, null, true],
    [2, null, true],
  ])
  expect(notesByFile(null, 'c1', [file('a')], null).size).toBe(0)
})

test('two attempts can be compared when the checks have seen two different commits', () => {
  const step = (attempt: number, commit: string, purpose: Verification['purpose'] = 'attempt') =>
    ({ attempt, commit, purpose }) as Verification
  expect(attemptRanges([step(1, 'a'), step(1, 'm', 'merge'), step(2, 'b'), step(3, 'b'), step(4, 'c')])).toEqual([
    { attempt: 4, since: 3, from: 'b', to: 'c' },
    { attempt: 2, since: 1, from: 'a', to: 'b' },
  ])
  expect(attemptRanges([])).toEqual([])
})

test('an address names an attempt or a commit; one that the branch lacks means the whole branch', () => {
  const commit = (letter: string, parent: string | null) => ({
    commit: letter.repeat(40),
    parent: parent?.repeat(40) ?? null,
    subject: `${letter} ${'long '.repeat(40)}`,
    author: 'Ada',
    at: 1,
  })
  const attempts = [{ attempt: 2, since: 1, from: 'a', to: 'b' }]
  const ranges = diffRanges(attempts, [commit('c', 'b'), commit('b', 'a'), commit('a', null)])
  expect(ranges.map(({ label }) => label.slice(0, 30))).toEqual([
    'Attempt 2 vs. attempt 1',
    'ccccccc c long long long long ',
    'bbbbbbb b long long long long ',
  ])
  expect(ranges.every(({ label }) => label.length < 90)).toBe(true)
  const found = (range?: number, name?: string) => rangeOf(ranges, { range, commit: name })?.key ?? null
  expect(found(2)).toBe('attempt 2')
  expect(found(3)).toBeNull()
  expect(found(undefined, 'bbbbbbb')).toBe(`commit ${'b'.repeat(40)}`)
  expect(rangeOf(ranges, { range: undefined, commit: 'ccccccccc' })?.from).toBe('b'.repeat(40))
  expect(found(undefined, 'aaaaaaa')).toBeNull()
  expect(found(undefined, 'b')).toBeNull()
  expect(found()).toBeNull()
})

test('a file opens in the editor by its own path, and no address that a browser would run is an editor', () => {
  const template = 'vscode://file/home/me/{project}/{path}:{line}'
  expect(templateProblem(template)).toBeNull()
  expect(editorUrl(template, 'demo', 'src/a b.ts', 7)).toBe('vscode://file/home/me/demo/src/a%20b.ts:7')
  expect(editorUrl(template, 'demo', '{line}/$&?x#y', 7)).toBe('vscode://file/home/me/demo/%7Bline%7D/%24%26%3Fx%23y:7')
  expect(editorUrl(template, 'demo', '../../etc/passwd', 1)).toBeNull()
  expect(editorUrl(template, 'demo', '/etc/passwd', 1)).toBeNull()
  expect(editorUrl('', 'demo', 'a', 1)).toBeNull()
  for (const bad of [
    'javascript:alert("{path}")',
    ' JavaScript:{path}',
    'data:text/html,{path}',
    'vscode://file/',
    '{path}',
    'file:///{path}',
  ])
    expect(editorUrl(bad, 'demo', 'a', 1), bad).toBeNull()
})

test('a view that moves faster than reading counts as flung, until it is slower or at rest; a leap to a place does not', () => {
  const fling = new Fling()
  const after = (offset: number, moving = true) => {
    fling.step(offset, moving, 800)
    return fling.flung
  }
  expect([after(60), after(500), after(4500), after(4600), after(600), after(600, false)]).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
  ])
  fling.leap()
  expect([after(90_000), after(50_000)]).toEqual([false, true])
})
