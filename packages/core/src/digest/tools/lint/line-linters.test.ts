import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

describe('linters and compilers with a line for each finding', () => {
  test.each([
    ['stylelint/failures', 12, 'src/a.css:1:5: Unknown property "colr" (property-no-unknown)'],
    ['stylelint/colour', 12, 'src/a.css:1:5: Unknown property "colr" (property-no-unknown)'],
    ['stylelint/verbose', 12, 'src/a.css:1:5: Unknown property "colr" (property-no-unknown)'],
    ['stylelint/compact', 12, 'src/a.css:1:5: Unknown property "colr" (property-no-unknown)'],
    ['stylelint/unix', 12, 'src/a.css:1:5: Unknown property "colr" (property-no-unknown)'],
    ['stylelint/no-files', 1, 'NoFilesFoundError: No files matching the pattern "nope/*.css" were found.'],
    [
      'markdownlint/failures',
      9,
      'README.md:3: MD012/no-multiple-blanks Multiple consecutive blank lines [Expected: 1; Actual: 2]',
    ],
    ['cspell/failures', 2, 'notes.md:1:11: Unknown word (mispelled) fix: (misspelled)'],
    ['standard/failures', 3, "src/std.js:2:7: Expected '===' and instead saw '=='. (eqeqeq)"],
    ['prettier/failures', 4, 'src/broken.js: SyntaxError: Unexpected token (2:1)'],
    ['commitlint/failures', 3, 'type may not be empty [type-empty]'],
    ['svelte-check/failures', 6, "src/C.svelte:1:23: Type 'string' is not assignable to type 'number'. (ts)"],
    ['svelte-check/machine', 6, "src/C.svelte:1:23: Type 'string' is not assignable to type 'number'."],
    ['deno-lint/failures', 3, 'lint.ts:2:1: `var` keyword is not allowed. (no-var)'],
    ['deno-check/failures', 1, "lint.ts:1:5: TS2322 [ERROR]: Type 'string' is not assignable to type 'number'."],
    ['esbuild/failures', 2, 'src/main.js:1:36: [ERROR] Could not resolve "./nowhere.js"'],
    ['flake8/failures', 21, "app/cart.py:1:1: F401 'os' imported but unused"],
    [
      'pylint/failures',
      21,
      "app/broken.py:1:12: E0001: Parsing failed: 'invalid syntax (broken, line 1)' (syntax-error)",
    ],
    ['pyright/failures', 4, 'src/t.py:3:12: Type "int" is not assignable to return type "str"'],
    ['ty/failures', 2, 'app/cart.py:7:26: Name `undefined_thing` used when not defined (unresolved-reference)'],
    ['black/failures', 2, 'app/cart.py: would be reformatted'],
    ['isort/failures', 1, 'app/cart.py: Imports are incorrectly sorted and/or formatted.'],
    ['pydocstyle/failures', 5, 'app/cart.py:3: D103: Missing docstring in public function'],
    ['codespell/failures', 2, 'app/x.txt:1: teh ==> the'],
    ['yamllint/failures', 3, 'bad.yml:2:5: too many spaces after colon (colons)'],
    ['yamllint/parsable', 2, 'bad.yml:3:1: duplication of key "a" in mapping (key-duplicates)'],
    ['sqlfluff/failures', 7, 'q.sql:1:12: CP01 | Keywords must be consistently upper case. [capitalisation.keywords]'],
    ['djlint/failures', 3, 't.html:1:5: Tag seems to be an orphan. <p> (H025)'],
    ['bandit/failures', 4, '  app/cart.py:6:4'],
    ['cppcheck/failures', 3, 'cp.c:2:64: Possible null pointer dereference: p [nullPointer]'],
    [
      'clang-tidy/failures',
      4,
      "cp.c:2:63: Dereference of null pointer (loaded from variable 'p') [clang-analyzer-core.NullDereference]",
    ],
    ['rubocop/failures', 5, 'cart.rb:2:3: Lint/UselessAssignment: Useless assignment to variable - y.'],
    ['luacheck/failures', 4, 'a.lua:1:7: unused variable x'],
    ['phpcs/failures', 4, 'x.php:1: Header blocks must be separated by a single blank line'],
    ['rustfmt/failures', 1, 'src/main.rs:1: not formatted'],
    ['shellcheck/failures', 10, 'deploy.sh:2: SC2045 (error): Iterating over ls output is fragile. Use globs.'],
    ['shellcheck/colour', 13, '  for f in $(ls *.txt); do'],
    ['shellcheck/gcc', 13, 'deploy.sh:2:10: error: Iterating over ls output is fragile. Use globs. [SC2045]'],
    ['shellcheck/json', 10, 'deploy.sh:2:10: SC2045 (error): Iterating over ls output is fragile. Use globs.'],
    ['shellcheck/json1', 10, 'deploy.sh:8:8: SC2115 (warning): Use "${var:?}" to ensure this never expands to /* .'],
    [
      'shellcheck/syntax',
      3,
      "bad.sh:3: SC1073 (error): Couldn't parse this double quoted string. Fix to allow more checks.",
    ],
    ['cmake/failures', 1, null],
    [
      'cmake/module',
      1,
      'lib/CMakeLists.txt:1: /usr/share/cmake-3.25/Modules/FindPackageHandleStandardArgs.cmake:230: CMake Error Could NOT find Boost (missing: Boost_INCLUDE_DIR regex)',
    ],
    ['gfortran/failures', 2, 'x.f90:3:6: Cannot convert CHARACTER(4) to INTEGER(4) at (1)'],
    ['elixir/failures', 1, null],
    ['php/failures', 1, 'bad.php:2: Parse error: syntax error, unexpected token "{", expecting variable'],
    ['nim/failures', 1, "n.nim:1:26: type mismatch: got 'int' for 'x' but expected 'string'"],
    ['javac/ant', 1, 'src/A.java:1: error: incompatible types: String cannot be converted to int'],
  ])('%s: %i', (name, failures, line) => {
    const found = digestText(fixture(name))
    expect(found).toMatchObject({ tool: name.split('/')[0], passed: false, failures })
    const lines = found.digest.split('\n').map((one) => one.replace(/^(?:mix\/)?(?:deno|rs|anty)\//, ''))
    if (line !== null) expect(lines).toContain(line)
  })

  test.each(['black', 'rustfmt', 'isort'])('findings of %s count as style', (tool) => {
    const names = readdirSync(join(import.meta.dirname, '../../fixtures', tool)).map((file) =>
      file.replace(/\.txt$/, ''),
    )
    const summaries = names.map((name) => digestText(fixture(`${tool}/${name}`))).filter(({ failures }) => failures)
    expect(summaries.length).toBeGreaterThan(0)
    for (const { summary, digest } of summaries)
      if (!/error: |\[error\]|cannot/.test(digest)) expect(summary).toMatch(/, about formatting alone\):/)
  })

  test('a syntax error that a formatter meets is more than style', () => {
    const text = 'Checking formatting...\n[warn] a.js\n[error] b.js: SyntaxError: Unexpected token (1:3)\n'
    expect(digestText(text).summary).toMatch(/^2 lint errors in 2 files \(Prettier\):/)
    expect(digestText('Checking formatting...\n[warn] a.js\n').summary).toMatch(/about formatting alone/)
    expect(digestText('Would reformat: a.py\n1 file would be reformatted\n').summary).toMatch(/about formatting alone/)
  })

  test.each(['markdownlint', 'cspell', 'prettier', 'pyright', 'black', 'bandit', 'rubocop', 'luacheck'])(
    '%s passed',
    (tool) => {
      expect(digestText(fixture(`${tool}/passing`))).toMatchObject({ tool, passed: true, failures: 0 })
    },
  )

  test("unformatted C code or a compiler's warning is no finding of a linter", () => {
    expect(digestText("src/a.c:1:5: warning: unused variable 'x' [-Wunused-variable]\n", {}, 0).failures).toBe(0)
    expect(digestText("src/a.c:1:5: error: unused variable 'x' [-Werror=unused-variable]\n")).toMatchObject({
      tool: 'gcc',
      failures: 1,
    })
  })

  test('keep their findings whatever is in front of the lines and whatever else is in the output', () => {
    for (const name of ['stylelint/failures', 'shellcheck/failures', 'flake8/failures', 'pyright/failures']) {
      const { findings } = digestText(fixture(name))
      const stamped = fixture(name).replace(/^/gm, '2026-11-22T23:54:10.123Z ').replaceAll('\n', '\r\n')
      expect(digestText(stamped).findings).toEqual(findings)
      expect(digestText(`progress 1%\rprogress 100%\n${fixture(name)}Done in 3s\n`).findings).toEqual(findings)
    }
  })
})
