import { expect, test } from 'vitest'
import { patchRows, rowsOfLines, windowAround } from './patch-rows.ts'

const patch = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -10,3 +10,4 @@ function a() {
 ten
-old
+eleven
+twelve
 thirteen
@@ -40 +41 @@
-x
+y
\\ No newline at end of file
`

test('the lines of a patch have their numbers in the new file; heads and removed lines have none', () => {
  expect(patchRows(patch).map(({ kind, line, text }) => [kind, line, text])).toEqual([
    ['hunk', null, '@@ -10,3 +10,4 @@ function a() {'],
    ['same', 10, ' ten'],
    ['removed', null, '-old'],
    ['added', 11, '+eleven'],
    ['added', 12, '+twelve'],
    ['same', 13, ' thirteen'],
    ['hunk', null, '@@ -40 +41 @@'],
    ['removed', null, '-x'],
    ['added', 41, '+y'],
    ['same', null, '\\ No newline at end of file'],
  ])
})

test('the lines of an issue are found in it, and hidden ones are not', () => {
  const rows = patchRows(patch)
  expect(rowsOfLines(rows, [11, 12, 41, 99])).toEqual([3, 4, 8])
  expect(rowsOfLines(rows, [])).toEqual([])
})

test('a long patch shows the part around the issue', () => {
  expect(windowAround(10, 5, 600)).toEqual({ from: 0, to: 10 })
  expect(windowAround(1000, 500, 100)).toEqual({ from: 450, to: 550 })
  expect(windowAround(1000, 0, 100)).toEqual({ from: 0, to: 100 })
  expect(windowAround(1000, 999, 100)).toEqual({ from: 900, to: 1000 })
})
