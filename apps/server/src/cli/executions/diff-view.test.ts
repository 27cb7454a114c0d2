import { expect, test } from 'vitest'
import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import { patchText, statLines } from './diff-view.ts'
import { paintOf } from '../terminal/paint.ts'
import { plainText, textWidth } from '../terminal/terminal-text.ts'
import { HOSTILE, OBEYED } from '../testing/views.ts'

const file = (path: string, added: number | null, removed: number | null, over: Partial<DiffFileView> = {}) => ({
  path,
  oldPath: null,
  status: 'M',
  blob: null,
  added,
  removed,
  ...over,
})
const plain = paintOf(false)

test('each file has its letter and its lines, and the sum is below', () => {
  expect(
    statLines(
      [
        file('src/a.ts', 3, 1),
        file('new.ts', 2, 0, { status: 'A', oldPath: 'old.ts' }),
        file('logo.png', null, null, { status: 'D' }),
      ],
      80,
      plain,
    ),
  ).toEqual([
    'M src/a.ts        |      4 +++-',
    'A old.ts → new.ts |      2 ++',
    'D logo.png        | binary',
    '3 files changed, +5 −1',
  ])
})

test('the table fits the window, with long names and many lines', () => {
  const files = [
    file('deep/'.repeat(40), 90_000, 12),
    file(HOSTILE, 1, 90_000),
    file('日本語/'.repeat(20), null, null),
    file('a', 1, 1),
  ]
  for (let columns = 40; columns <= 200; columns += 4)
    for (const line of statLines(files, columns, plain)) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns)
      expect(line).not.toMatch(OBEYED)
    }
})

test('a patch has plain file names as they are, and dangerous ones quoted as git does', () => {
  const head = String.raw
  expect(
    patchText(
      [
        head`diff --git "a/gr\303\274\303\237e.txt" "b/\346\227\245 \346\234\254.txt"`,
        head`rename from "gr\303\274\303\237e.txt"`,
        head`--- "a/gr\303\274\303\237e.txt"`,
        '@@ -1 +1 @@',
        head`--- "a/gr\303\274\303\237e.txt"`,
        head`diff --git "a/tab\there" "b/no\377utf8"`,
        head`+++ "b/\342\200\256txt.exe"`,
        '+++ b/grüße.txt',
        head`+++ "b/\"ü\".txt"`,
      ].join('\n'),
      plain,
    ).split('\n'),
  ).toEqual([
    'diff --git a/grüße.txt b/日 本.txt',
    'rename from grüße.txt',
    '--- a/grüße.txt',
    '@@ -1 +1 @@',
    head`--- "a/gr\303\274\303\237e.txt"`,
    head`diff --git "a/tab\there" "b/no\377utf8"`,
    head`+++ "b/\342\200\256txt.exe"`,
    '+++ b/grüße.txt',
    head`+++ "b/\"ü\".txt"`,
  ])
})

test('a patch has the colours of git, and can do nothing else', () => {
  const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\r\n+new\n same\n\u001b[2J+not\u009b1A new\n'
  const coloured = patchText(patch, paintOf(true))
  expect(coloured).toContain('\u001b[31m-old\u001b[39m')
  expect(coloured).toContain('\u001b[32m+new\u001b[39m')
  expect(coloured).toContain('\u001b[36m@@ -1 +1 @@\u001b[39m')
  expect(patchText(patch, plain)).not.toMatch(OBEYED)
  expect(plainText(coloured)).toBe(patchText(patch, plain))
})
