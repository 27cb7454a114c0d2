import { describe, expect, test } from 'vitest'
import { each, file, found, js } from '../testing/sample-patch.ts'
import { findTampering } from './tamper.ts'
import type { ChangedFile } from './patch.ts'

const headed = (path: string, headers: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  status: 'M',
  patch: `diff --git a/${path} b/${path}\n${headers}`,
  cut: false,
  added: 0,
  removed: 0,
  ...more,
})

describe("a change of a file's kind", () => {
  test('counts as its deletion when a link replaces it', () => {
    const path = 'test/add.test.js'
    const patch = `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1,4 +0,0 @@\n${each(js, '-')}\ndiff --git a/${path} b/${path}\nnew file mode 120000\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+../lib/always.js\n\\ No newline at end of file\n`
    expect(found({ path, status: 'T', patch, cut: false, added: 1, removed: 4 })).toEqual([
      'test/add.test.js was replaced by a link',
      'test/add.test.js was deleted',
    ])
  })

  test('is reported when a link among tests leads elsewhere, or a submodule with tests is at another commit', () => {
    const link = 'index abc1234..def5678 120000\n--- a\n+++ b\n@@ -1 +1 @@\n-../one\n+../other\n'
    expect(found(headed('test/add.test.js', link, { added: 1, removed: 1 }))).toEqual([
      'test/add.test.js is a link, and leads elsewhere now',
    ])
    const commits = `@@ -1 +1 @@\n-Subproject commit ${'a'.repeat(40)}\n+Subproject commit ${'b'.repeat(40)}\n`
    const pointer = `index aaaaaaa..bbbbbbb 160000\n--- a\n+++ b\n${commits}`
    expect(found(headed('tests/suite', pointer, { added: 1, removed: 1 }))).toEqual([
      'tests/suite, a submodule in a folder of tests, is at another commit',
    ])
    expect(found(headed('vendor/lib', pointer, { added: 1, removed: 1 }))).toEqual([])
  })

  test('is reported when a script of tests can no longer be executed, and not when it now can', () => {
    expect(found(headed('test/all.test.sh', 'old mode 100755\nnew mode 100644\n'))).toEqual([
      'test/all.test.sh can no longer be executed',
    ])
    expect(found(headed('test/all.test.sh', 'old mode 100644\nnew mode 100755\n'))).toEqual([])
  })
})

test('a file of tests whose lines changed and whose patch shows none could not be looked at', () => {
  const said = ['test/a.test.js changed, and what changed in it could not be read']
  for (const counts of [
    { added: 0, removed: 2 },
    { added: null, removed: null },
  ])
    for (const patch of ['', 'diff --git a/x b/x\nBinary files a/x and b/x differ\n'])
      expect(found({ path: 'test/a.test.js', status: 'M', patch, cut: false, ...counts })).toEqual(said)
  expect(found(headed('test/a.test.js', 'old mode 100644\nnew mode 100755\n'))).toEqual([])
})

test('a zero byte hides no assertion, and neither does UTF-16', () => {
  expect(found(file('a.test.js', `${each(js, '-')}\n+it('adds', () => {\n+  // \0\n+})`))).toEqual([
    'a.test.js lost 2 assertions',
  ])
  const wide = (text: string) => [...text].map((letter) => `${letter}\0`).join('')
  const lines = each(js, '-')
    .split('\n')
    .map((line) => `-\0${wide(line.slice(1))}`)
    .join('\n')
  expect(found(file('AddTests.cs', `${lines}\n+x\0`))).not.toEqual([])
})

test('a test whose name only changes its case is no longer found by the same pattern', () => {
  const moved = (from: string, path: string): ChangedFile => ({
    ...headed(path, `similarity index 100%\nrename from ${from}\nrename to ${path}\n`),
    status: 'R',
    oldPath: from,
  })
  expect(found(moved('src/add.test.js', 'src/add.Test.js'))).toEqual([
    'src/add.test.js was renamed to src/add.Test.js, where the runner may not find it',
  ])
  expect(found(moved('src/Add.test.js', 'src/add.test.js'))).toEqual([])
  expect(found(moved('src/Add.Tests.ts', 'src/add.Tests.ts'))).toEqual([])
})

test('what tests read may not become a link, whose patch is not read', () => {
  const change = (...all: { path: string; status: string }[]) =>
    findTampering({ files: [], all, collectedBefore: null, collectedAfter: null })
  expect(change({ path: 'tests/cases.json', status: 'T' }, { path: 'golden/page.html', status: 'T' })).toEqual([
    'tests/cases.json, which tests may read, became a link, or is no link any more',
    'golden/page.html, which tests may read, became a link, or is no link any more',
  ])
  expect(
    change(
      { path: 'docs/latest', status: 'T' },
      { path: 'tests/more.json', status: 'A' },
      { path: 'tests/node_modules/a', status: 'T' },
    ),
  ).toEqual([])
})
