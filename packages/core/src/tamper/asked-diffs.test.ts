import { describe, expect, test } from 'vitest'
import { findTampering } from './tamper.ts'
import type { ChangedFile } from './patch.ts'
import { file } from '../testing/sample-patch.ts'

const asked = (task: string, files: ChangedFile[], deletedCode: string[] = []) =>
  findTampering({ files, collectedBefore: null, collectedAfter: null, task, deletedCode })

describe('allowed, because the bead says so', () => {
  const csv = file('src/export/csv.test.ts', "-it('writes rows', () => {\n-  expect(toCsv(rows)).toBe('a,b')\n-})", 'D')
  const legacy = file(
    'src/user.test.ts',
    " it('has fields', () => {\n   expect(user.name).toBe('Ann')\n-  expect(user.legacyId).toBe(7)\n })",
  )
  const parser = file(
    'tests/test_parser.py',
    ' import parser\n-def test_v1_dates():\n-    assert parse_v1("1/2") == (1, 2)\n \n def test_dates():\n     assert parse("1.2.") == (1, 2)',
  )
  // "page" is too common a word to identify anything.
  const pages = file(
    'tests/test_shop.py',
    ' import shop\n-def test_page(golden):\n-    assert golden == shop.page()\n \n def test_cart():\n     assert shop.cart() == []',
  )
  test.each<[string, ChangedFile[], string[]]>([
    ['Remove the CSV export', [csv], ['src/export/csv.ts']],
    ['Delete src/export/csv.test.ts, nobody needs it', [csv], []],
    ['Clean up\n\n- Remove `legacyId` from the user', [legacy], []],
    ['Drop v1\n\nDrop support for v1 dates.', [parser], []],
    ['Tests: remove the tests of v1 dates', [parser], []],
    ['Rewrite the parser and remove the test "test_v1_dates"', [parser], []],
    ['Drop test_page, there are no pages any more', [pages], []],
    ['Clean up\n\nDrop test_page.', [pages], []],
    [
      'Skip the tests of the network until the proxy is there',
      [
        file(
          'src/network.test.ts',
          "-describe('network', () => {\n+describe.skip('network', () => {\n   it('connects', () => {",
        ),
      ],
      [],
    ],
  ])('%j', (task, files, deleted) => {
    expect(asked(task, files, deleted)).toEqual([])
    expect(asked('Make the tests pass', files, deleted)).not.toEqual([])
  })

  test.each([
    'Fix the CSV export so that deleted rows are left out',
    'Do not delete src/export/csv.test.ts',
    'Remove the failing test',
    'Let users delete their account and export it as CSV',
    'Remove the PDF export',
    'Make the CSV export faster, without removing csv.test.ts',
    '',
  ])('but not for %j', (task) => {
    expect(asked(task, [csv])).not.toEqual([])
  })
})
