import { describe, expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const made = (before: string, now: string) => [
  file('package.json', `-    "test": ${JSON.stringify(before)}\n+    "test": ${JSON.stringify(now)}`),
  file('Makefile', ` test:\n-\t${before}\n+\t${now}`),
]

describe('an option of a test command', () => {
  test.each([
    ['tox', 'tox -p auto'],
    ['pytest', 'pytest -p no:cacheprovider'],
    ['python -m pytest', 'python -m pytest -p no:cacheprovider'],
    ['uv run pytest', 'uv run pytest -o log_cli=true'],
    ['rspec', 'rspec -f documentation'],
    ['bundle exec rspec', 'bundle exec rspec -f documentation -o out.txt'],
    ['go test ./...', 'go test -p 4 ./...'],
    ['mocha', 'mocha -R dot -t 5000'],
    ['mvn test', 'mvn -o test'],
    ['make check', 'make -k check'],
    ['eslint .', 'eslint -f stylish .'],
    ['meson test', 'meson test -t 2'],
  ])('that says how tests run leaves none out: %s, %s', (before, now) => {
    for (const change of made(before, now)) expect(found(change)).toEqual([])
  })

  test.each([
    ['tox', 'tox -f lint'],
    ['pytest', 'pytest -k cart'],
    ['pytest', 'pytest -p no:python'],
    ['pytest', 'pytest -p tests.quiet'],
    ['pytest', 'pytest -o testpaths=tests/unit'],
    ['pytest', 'pytest -o addopts='],
    ['rspec', 'rspec -t fast'],
    ['mocha', 'mocha -g cart'],
    ['npx jest', 'npx jest -t cart'],
    ['jest', 'jest -o'],
    ['cargo test', 'cargo test -p cart'],
    ['ctest', 'ctest -R cart'],
    ['python -m unittest discover', 'python -m unittest discover -p cart'],
    ['make test', 'make -f other.mk test'],
    ['./run-tests', './run-tests -t cart'],
  ])('that chooses leaves tests out: %s, %s', (before, now) => {
    for (const change of made(before, now)) expect(found(change)).not.toEqual([])
  })
})
