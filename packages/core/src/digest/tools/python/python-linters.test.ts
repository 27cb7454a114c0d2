import { describe, expect, test } from 'vitest'
import { mypy } from './mypy.ts'
import { ruff } from './ruff.ts'
import { scanFixture, scanText } from '../../testing/scan-fixture.ts'

const ruffed = (name: string) => scanFixture(ruff, `ruff/${name}`)
const typed = (name: string) => scanFixture(mypy, `mypy/${name}`)
const titles = (report: ReturnType<typeof ruffed>) => report?.findings.map(({ title }) => title) ?? []

const found = [
  'app/main.py:1:1: I001 Import block is un-sorted or un-formatted',
  'app/main.py:1:8: F401 `os` imported but unused',
  'app/main.py:2:8: F401 `sys` imported but unused',
  'app/main.py:2:13: F401 `json` imported but unused',
  'app/main.py:6:12: SIM115 Use a context manager for opening files',
  'app/main.py:7:5: F841 Local variable `l` is assigned to but never used',
  'app/main.py:9:16: F821 Undefined name `undefined_name`',
  'app/main.py:10:12: F541 f-string without any placeholders',
  'app/other.py:5:5: F841 Local variable `x` is assigned to but never used',
  'app/other.py:8:5: E722 Do not use bare `except`',
  'app/other.py:8:5: S110 `try`-`except`-`pass` detected, consider logging the exception',
]

describe('ruff', () => {
  test.each(['failures', 'colour', 'concise', 'grouped', 'github', 'json', 'json-lines'])(
    'lists the same errors in each of its formats: %s',
    (name) => {
      expect(ruffed(name)).toMatchObject({ failures: 11, summary: '11 lint errors in 2 files:', collected: null })
      expect(titles(ruffed(name)).map((title) => title.replace('/workspace/', ''))).toEqual(found)
    },
  )

  test('shows the line of code with its mark, and the help', () => {
    expect(ruffed('failures')?.findings[1]?.detail).toBe(
      ['1 | import os', '  |        ^^', 'help: Remove unused import: `os`'].join('\n'),
    )
  })

  test('counts errors that it could not fix', () => {
    expect(ruffed('fixed')).toMatchObject({ failures: 6, summary: '6 lint errors in 2 files:' })
  })

  test('counts by rule if it was asked for statistics', () => {
    expect(ruffed('statistics')).toMatchObject({ failures: 11, summary: '11 lint errors:' })
    expect(titles(ruffed('statistics'))[0]).toBe('3 × F401 unused-import')
  })

  test.each([
    ['syntax-error', 'app/broken.py:1:7: invalid-syntax: Expected a parameter or the end of the parameter list'],
    ['missing-file', 'nowhere:1:1: E902 No such file or directory (os error 2)'],
    ['format-check', 'app/ugly.py:1:6: unformatted: File would be reformatted'],
  ])('names files that it could not read or would format: %s', (name, title) => {
    expect(titles(ruffed(name))[0]).toBe(title)
  })

  test('knows a line of JSON that was cut in the middle of its fix', () => {
    const line = `{"cell":null,"code":"I001","end_location":{"column":17,"row":2},"filename":"/workspace/a.py","fix":{"edits":[{"content":"${'x'.repeat(50)}`
    expect(scanText(ruff, line)?.findings).toEqual([{ title: '/workspace/a.py:2: I001', detail: '' }])
  })

  test.each([
    '::error title=ruff (E722),file=/workspace/a.py,line=8,col=5,endLine=8,endColumn=11::',
    'Would reformat: ',
  ])('ignores an error that is cut off before it says anything: %s', (line) =>
    expect(scanText(ruff, `${line}\n`)).toBeNull(),
  )

  test('passed when all checks did, and ignores the errors of others', () => {
    expect(ruffed('passing')).toMatchObject({ failures: 0, findings: [] })
    expect(scanText(ruff, 'Found 3 errors.\n')).toBeNull()
  })
})

describe('mypy', () => {
  test.each(['failures', 'colour', 'no-summary', 'pretty'])('lists errors and leaves out notes: %s', (name) => {
    expect(typed(name)).toMatchObject({ failures: 8, summary: '8 lint errors in 2 files:', collected: null })
    expect(titles(typed(name))).toEqual([
      'app/main.py:2: error: Cannot find implementation or library stub for module named "nowhere" [import-not-found]',
      'app/main.py:6: error: Incompatible return value type (got "str", expected "int") [return-value]',
      'app/main.py:6: error: Argument 1 to "join" of "str" has incompatible type "list[int]"; expected "Iterable[str]" [arg-type]',
      'app/main.py:13: error: Incompatible types in assignment (expression has type "str | None", variable has type "str") [assignment]',
      'app/main.py:14: error: Unexpected keyword argument "tax" for "total" [call-arg]',
      'app/main.py:24: error: Argument 1 of "run" is incompatible with supertype "Base"; supertype defines the argument type as "int" [override]',
      'app/other.py:3: error: List item 1 has incompatible type "str"; expected "int" [list-item]',
      'app/other.py:4: error: Unsupported operand types for + ("int" and "str") [operator]',
    ])
  })

  test('keeps the notes that belong to an error, and the code of the pretty form', () => {
    expect(typed('failures')?.findings[5]?.detail).toContain('note: This violates the Liskov substitution principle')
    expect(typed('pretty')?.findings[1]?.detail).toBe('return "".join(prices)\n       ^~~~~~~~~~~~~~~')
  })

  test.each(['columns', 'json'])('gives the requested form of places: %s', (name) => {
    expect(typed(name)).toMatchObject({ failures: 8, summary: '8 lint errors in 2 files:' })
    expect(titles(typed(name))[1]).toMatch(/^app\/main\.py:6:12(?::6:26)?: error: Incompatible return value type/)
  })

  test.each([
    ['syntax-error', 2, 'bad/a.py:1: error: Expected a parameter or the end of the parameter list [syntax]'],
    ['missing-file', 1, 'nowhere: error: Cannot read file: No such file or directory'],
  ])('counts errors that kept it from checking: %s', (name, failures, title) => {
    expect(typed(name)).toMatchObject({ failures })
    expect(titles(typed(name))[0]).toBe(title)
  })

  test('reports a module that has two names', () => {
    expect(titles(typed('module-twice'))[1]).toBe(
      'app/main.py: error: Source file found twice under different module names: "main" and "app.main"',
    )
  })

  test.each(['passing', 'passing-notes'])('passed when it found no issues, notes or not: %s', (name) => {
    expect(typed(name)).toEqual({ failures: 0, summary: 'mypy found no errors', findings: [], collected: null })
  })
})
