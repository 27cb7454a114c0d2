import { expect, test } from 'vitest'
import { problemIn } from './bd-adapter.ts'
import { answerOf, listOf } from './bd-json.ts'
import { judge, versionIn } from './bd-version.ts'

const end = (stdout: string, code = 0, stderr = '') => ({ code, stdout, stderr })

test.each([
  ['bare', '[{"id":"a-1"}]'],
  ['in an envelope', '{"schema_version":1,"data":[{"id":"a-1"}]}'],
  ['single', '{"id":"a-1","schema_version":1}'],
])('an answer is read %s', (_, stdout) => {
  expect(listOf(answerOf('bd show', end(stdout)))).toMatchObject([{ id: 'a-1' }])
})

test.each([
  ['an error on its output', end('{"data":{"error":"no such bead"},"schema_version":1}', 1), /^bd show: no such bead$/],
  [
    'the reason of a bead that failed',
    end('{"data":{"error":"1 of 1 issues failed to update","failed":[{"id":"a-1","error":"assignee mismatch"}]}}', 13),
    /^bd show: assignee mismatch$/,
  ],
  ['an error beside it', end('', 1, '{"error":"prefix mismatch"}'), /prefix mismatch/],
  ['plain text', end('', 1, 'Warning: old\nError claiming a-1: already claimed by ada\n'), /already claimed by ada/],
  ['nothing, though it ends well', end('', 0), /it exited with 0/],
  ['something that is not JSON', end('panic: runtime error', 2), /it exited with 2/],
])('a failure is recognised by %s', (_, answer, sentence) => {
  expect(() => answerOf('bd show', answer)).toThrow(sentence)
})

test('a database that another program holds is waited for', () => {
  const held = end('', 1, 'Error: another process holds the exclusive lock')
  expect(() => answerOf('bd update', held)).toThrow(expect.objectContaining({ kind: 'busy' }))
  const locked = end('', 1, 'Error: database is locked')
  expect(() => answerOf('bd update', locked)).toThrow(expect.objectContaining({ kind: 'busy' }))
})

test('a blocked bead is not a locked database', () => {
  const blocked = end('', 1, 'cannot close a-1: blocked by open issues [a-2] (use --force to override)')
  expect(() => answerOf('bd close', blocked)).toThrow(expect.objectContaining({ kind: 'broken' }))
})

test.each([
  ['{"schema_version":1,"data":{"version":"1.0.5"}}', '1.0.5'],
  ['{"version":"v1.2.0"}', '1.2.0'],
  ['bd version 0.49.6 (dev)', '0.49.6'],
  ['banana', '?'],
])('the version in %s is %s', (text, version) => {
  expect(versionIn(text)).toBe(version)
})

test('only bd 1.x writes; other versions are named, with what to do', () => {
  expect(judge('dolt', { bd: '1.3.0', br: null })).toMatchObject({ kind: 'bd', writable: true })
  expect(judge('sqlite', { bd: null, br: '0.1.12' }).text).toMatch(/^these beads are kept by br 0\.1\.12:/)
  expect(judge('sqlite', { bd: '1.3.0', br: '0.7.6' }).text).toMatch(
    /^these beads are kept by br 0\.7\.6, or by a bd before 0\.51: .*br writes this file anew/,
  )
  expect(judge('sqlite', { bd: '0.47.1', br: null }, true).text).toMatch(
    /^these beads are kept by br: .*br writes this/,
  )
  expect(judge('sqlite', { bd: '0.47.1', br: null }).text).toMatch(
    /^these beads are kept by bd 0\.47\.1:.*bd init --from-jsonl/,
  )
  for (const bd of [null, '?', '0.63.3', '2.0.0'])
    expect(judge('dolt', { bd, br: null })).toMatchObject({ kind: 'read-only', writable: false })
})

test('an answer with too many values is a failure, and none of them is made', () => {
  const many = `[${'{},'.repeat(100_000)}{}]`
  expect(() => answerOf('bd show', end(many))).toThrow(expect.objectContaining({ kind: 'broken' }))
})

test('an export that lacks the dependencies it counts is not believed, wherever that bead is', () => {
  const edge = '"dependencies":[{"depends_on_id":"a-2"}]'
  const whole = `{"id":"a-1",${edge},"dependency_count":1}\n{"id":"a-2","dependency_count":0}\n`
  const lacking = '{"id":"a-1","dependency_count":1,"comment_count":0}\n'
  const problems = [whole, lacking, whole + lacking, lacking + whole].map((text) => problemIn(Buffer.from(text)))
  expect(problems).toEqual([null, ...Array.from({ length: 3 }, () => expect.stringContaining('left out dependencies'))])
})
