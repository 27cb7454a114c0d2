import { expect, test } from 'vitest'
import { mates, patchLines, sides } from './patch-lines.ts'

const patch = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -10,4 +10,5 @@ function a() {
 ten
-old
--- looks like a head
+eleven
++++ looks like one, too
+thirteen
 last
@@ -40 +41 @@
-x
+y
\\ No newline at end of file
`

test('the lines of a patch have their numbers before and after, and a line like a head within a hunk is a line', () => {
  expect(patchLines(patch).map(({ kind, old, now, text }) => [kind, old, now, text])).toEqual([
    ['hunk', null, null, '@@ -10,4 +10,5 @@ function a() {'],
    ['same', 10, 10, 'ten'],
    ['removed', 11, null, 'old'],
    ['removed', 12, null, '-- looks like a head'],
    ['added', null, 11, 'eleven'],
    ['added', null, 12, '+++ looks like one, too'],
    ['added', null, 13, 'thirteen'],
    ['same', 13, 14, 'last'],
    ['hunk', null, null, '@@ -40 +41 @@'],
    ['removed', 40, null, 'x'],
    ['added', null, 41, 'y'],
    ['note', null, null, 'No newline at end of file'],
  ])
})

test('a patch without hunks, or cut in the middle, shows its existing part', () => {
  expect(patchLines('diff --git a/x b/x\nsimilarity index 100%\nrename from y\n')).toEqual([])
  expect(patchLines('@@ -1,9 +1,9 @@\n a\n').map(({ text }) => text)).toEqual(['@@ -1,9 +1,9 @@', 'a'])
})

test('in two columns a replaced line is beside its replacement', () => {
  expect(sides(patchLines(patch)).map(({ left, right }) => [left?.text ?? null, right?.text ?? null])).toEqual([
    ['@@ -10,4 +10,5 @@ function a() {', '@@ -10,4 +10,5 @@ function a() {'],
    ['ten', 'ten'],
    ['old', 'eleven'],
    ['-- looks like a head', '+++ looks like one, too'],
    [null, 'thirteen'],
    ['last', 'last'],
    ['@@ -40 +41 @@', '@@ -40 +41 @@'],
    ['x', 'y'],
  ])
})

test('only a changed line has a mate', () => {
  const lines = patchLines(patch)
  const found = mates(lines)
  expect(lines.map((line) => found.get(line)?.text ?? null)).toEqual([
    null,
    null,
    'eleven',
    '+++ looks like one, too',
    'old',
    '-- looks like a head',
    null,
    null,
    null,
    'y',
    'x',
    null,
  ])
})
