import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const NO_FAILURE = 'the test command can no longer fail'
const NOTHING = 'the test command no longer does anything'

test.each([
  ['Makefile', ' check: suite\n-\t./suite --all\n+\t-./suite --all', NO_FAILURE],
  ['Makefile', ' check: suite\n-\t@./suite\n+\t@-./suite', NO_FAILURE],
  ['Makefile', ' run-tests: suite\n-\t./suite\n+\t./suite || true', NO_FAILURE],
  ['Makefile', ' test check: suite\n-\t./suite\n+\t(./suite; ./more) || exit 0', NO_FAILURE],
  ['Makefile', ' check: suite\n-\t./suite\n+\t! ./suite', NO_FAILURE],
  ['Makefile', ' check: suite\n-\t./suite\n+\t./suite | tee log', NO_FAILURE],
  ['lib/rules.mk', ' test-all:\n-\t$(PERL) smoke.pl\n+\t-$(PERL) smoke.pl', NO_FAILURE],
  ['justfile', ' test: build\n-    ./suite\n+    ./suite || true', NO_FAILURE],
  ['run-tests.sh', '-./suite\n+./suite || true', NO_FAILURE],
  ['scripts/check.sh', '-./suite\n+./suite | cat', NO_FAILURE],
  ['Makefile', ' check: suite\n-\t./suite\n+\t@echo fine', NOTHING],
  ['Makefile', ' check: suite\n-\t./suite\n+\t# ./suite', NOTHING],
])(
  'a program that a target or a script of tests starts must count, whatever it is called: %s, %j',
  (path, lines, why) => {
    expect(found(file(path, lines))).toEqual([`${path}: ${why}`])
  },
)

test('the target may be named by the heading of the hunk alone', () => {
  const { patch, ...rest } = file('Makefile', ' \t@echo suite\n-\t./suite\n+\t-./suite')
  expect(found({ ...rest, patch: patch.replace(' @@\n', ' @@ check: suite\n') })).toEqual([`Makefile: ${NO_FAILURE}`])
  expect(found({ ...rest, patch: patch.replace(' @@\n', ' @@ install: suite\n') })).toEqual([])
})

test.each([
  ['Makefile', ' check: suite\n-\t./suite\n+\t./suite --verbose'],
  ['Makefile', ' check: suite\n-\trm -r out\n+\t-rm -r out\n \t./suite'],
  ['Makefile', ' check: suite\n \t./suite\n install: all\n-\t./place\n+\t-./place'],
  ['Makefile', ' check: suite\n-\t-./suite\n+\t-./suite --verbose'],
  ['Makefile', ' check: suite\n-\t./suite\n+\t./warm-up || true\n+\t./suite'],
  ['Makefile', ' check: suite\n-\t./suite\n+\t@echo suite\n+\t./suite --verbose'],
  ['Makefile', ' CHECKED := yes\n-A := ./suite\n+A := ./suite || true'],
  ['run-tests.sh', '-./suite\n+set -o pipefail\n+./suite | tee log'],
  ['run-tests.sh', '-docker rm suite\n+docker rm suite || true'],
  ['run-tests.sh', '-./suite\n+./suite\n+./suite --again || true'],
])('clean-up commands, other targets and other words take nothing from it: %s, %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
