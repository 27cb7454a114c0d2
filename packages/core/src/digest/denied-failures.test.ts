import { expect, test } from 'vitest'
import { digestText } from './digest-reader.ts'
import { fixture } from './testing/fixture.ts'

/** The last lines of a passing run: code under test may print such lines when its process ends. */
const endOf = (name: string): string => fixture(name).trimEnd().split('\n').slice(-8).join('\n')

test.each([
  ['jest', 'jest/fail', 'jest/pass'],
  ['jest', 'jest/verbose', 'jest/pass'],
  ['vitest', 'vitest/fail', 'vitest/pass'],
  ['vitest', 'vitest/dot', 'vitest/pass'],
  ['mocha', 'mocha/fail', 'mocha/pass'],
  ['pytest', 'pytest/failures', 'pytest/passing'],
  ['unittest', 'unittest/failures', 'unittest/passing'],
  ['maven', 'maven/failures', 'maven/passing'],
  ['ctest', 'ctest/failures', 'ctest/passing'],
])('%s: a failure in %s stays a failure, though the last lines are those of %s', (tool, failing, passing) => {
  const digest = digestText(`${fixture(failing).trimEnd()}\n${endOf(passing)}\n`, {}, 0)
  const own = digest.tests.find((one) => one.tool === tool)
  expect(own?.failures).toBeGreaterThan(0)
})

const counts = (total: number) =>
  `ℹ tests ${total}\nℹ suites 0\nℹ pass ${total}\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 9`
const tests = '✖ adds (1.2ms)\n✔ subtracts (0.3ms)\n'

test('node:test: a failed test has failed if the counts have room for it', () => {
  const digest = digestText(`${tests}${counts(2)}\n`, {}, 0)
  expect(digest.tests).toMatchObject([{ tool: 'node-test', failures: 1 }])
})

test('node:test: a failure beyond the counts was printed by a test, and did not run', () => {
  const digest = digestText(`${tests}${counts(1)}\n`, {}, 0)
  expect(digest.tests).toMatchObject([{ tool: 'node-test', failures: 0, units: [['subtracts', 1]] }])
})

test('TAP: counts take back no point, and none beyond them ran', () => {
  const tap = (total: number) =>
    `TAP version 13\nnot ok 1 adds\nok 2 subtracts\n\n1..2\n# tests ${total}\n# pass ${total}\n\n# ok\n`
  expect(digestText(tap(2), {}, 0).tests).toMatchObject([{ tool: 'tap', failures: 1 }])
  expect(digestText(tap(1), {}, 0).tests).toMatchObject([{ failures: 0, ran: 1, units: [['subtracts', 1]] }])
})
