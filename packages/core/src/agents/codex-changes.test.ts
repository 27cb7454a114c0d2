import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bodyOf } from '../conversation/body.ts'
import { callWords, editsOf } from '../conversation/call-words.ts'
import { recordedChanges } from './codex-changes.ts'
import type { Json } from './json.ts'

const done = { ok: true, took: '3 ms', body: bodyOf([], 0, 2) }

const record = readFileSync(
  join(import.meta.dirname, '../../../../test/samples/agent-output/codex-moved-record.jsonl'),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Json)

const found = (changes: unknown) => record.flatMap((line) => recordedChanges(line, changes) ?? [])
const change = (path: string, kind: string) => ({ path: `/workspace/repo/${path}`, kind })

test("a patch is shown with its text, from Codex's record of the same files", () => {
  const [first = '', second = '', ...more] = found([change('more.txt', 'add'), change('notes.txt', 'update')])
  expect(more).toEqual([])
  const words = callWords('apply_patch', first, done)
  expect(words).toMatchObject({ verb: 'edited', what: 'more.txt, notes.txt', diff: { added: 3, removed: 1 } })
  expect(words.diff?.lines).toEqual([
    { kind: 'file', text: 'more.txt' },
    { kind: 'added', text: 'one' },
    { kind: 'added', text: 'two' },
    { kind: 'file', text: 'notes.txt' },
    { kind: 'same', text: 'one' },
    { kind: 'removed', text: 'two' },
    { kind: 'added', text: 'TWO' },
    { kind: 'same', text: 'three' },
  ])
  expect(callWords('apply_patch', second, done)).toMatchObject({
    what: 'more.txt, notes.txt → renamed.txt',
    diff: { added: 1, removed: 3 },
  })
  expect(editsOf('apply_patch', second).map(({ file }) => file)).toEqual(['more.txt', 'renamed.txt'])
})

test('a line about other files does not concern this patch', () => {
  expect(found([change('more.txt', 'add')])).toEqual([])
  expect(found([change('more.txt', 'add'), change('other.txt', 'update')])).toEqual([])
  expect(found([change('more.txt', 'add'), change('more.txt', 'add')])).toHaveLength(2) // as printed
  for (const odd of [null, 'x', {}, [null, 1], [{ path: '__proto__' }, { path: 'toString' }]])
    expect(found(odd)).toEqual([])
})

const line = (changes: unknown): Json => ({ payload: { item: { type: 'FileChange', changes } } })

test('a change that is too long keeps its counts, and the others their lines', () => {
  const changes = {
    a: { type: 'add', content: 'x'.repeat(80).concat('\n').repeat(5000) },
    b: { type: 'update', unified_diff: '@@ -1 +1 @@\n-x\n+y\n@@ -9 +9 @@\n-p\n+q\n', move_path: null },
  }
  const given = recordedChanges(line(changes), [{ path: 'a' }, { path: 'b' }]) ?? ''
  expect(given.length).toBeLessThan(4096)
  const { diff } = callWords('apply_patch', given, done)
  expect(diff).toMatchObject({ added: 5002, removed: 2 })
  expect(diff?.lines.map(({ kind }) => kind).join(' ')).toBe('file note file removed added note removed added')
  expect(editsOf('apply_patch', given).map((edit) => edit.diff() === null)).toEqual([true, false])
})

test('many small changes lose their longest lines first, and stay whole JSON', () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`f${at}`, { type: 'add', content: `${'y'.repeat(at * 20)}\n` }]),
  )
  const given = recordedChanges(
    line(many),
    Object.keys(many).map((path) => ({ path })),
  )!
  expect(given.length).toBeLessThan(4096)
  const edits = editsOf('apply_patch', given)
  expect(edits).toHaveLength(30)
  expect(edits[0]?.diff()).not.toBeNull()
  expect(edits[29]?.diff()).toBeNull()
  expect(callWords('apply_patch', given, done).diff).toMatchObject({ added: 30, removed: 0 })
})

test('hostile records are bounded, and everything in them is mere text', () => {
  for (const changes of [null, [], { a: null }, { a: 1 }, { a: { type: {}, content: {}, unified_diff: [] } }]) {
    const given = recordedChanges(line(changes), [{ path: 'a' }])
    if (given === null) continue
    expect(callWords('apply_patch', given, done)).toMatchObject({ what: 'a', diff: { added: 0, removed: 0 } })
  }
  const crowd = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`${at}`, { type: 'add', content: '' }]))
  expect(
    recordedChanges(
      line(crowd),
      Object.keys(crowd).map((path) => ({ path })),
    ),
  ).toBeNull()
  const long = { ['p'.repeat(9000)]: { type: 'add', content: 'x' } }
  const given = recordedChanges(line(long), [{ path: 'p'.repeat(9000) }]) ?? ''
  expect(callWords('apply_patch', `${given.slice(0, 4095)}…`, done)).toMatchObject({ verb: 'edited', diff: null })
})

test('made-up numbers of an agent are no counts', () => {
  const given = JSON.stringify({ changes: [{ path: 'a', added: -1, removed: 1e99 }], diffs: ['+x'] })
  expect(callWords('apply_patch', given, done)).toMatchObject({ what: 'a', diff: null })
})
