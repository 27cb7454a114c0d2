import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { ranNothing } from '../../tests-run.ts'

const TAP_OF_NODE = `TAP version 13
1..0
# tests 0
# suites 0
# pass 0
# fail 0
# cancelled 0
# skipped 0
# todo 0
# duration_ms 8.606878
`

describe('a runner that found no test has run none, whatever its exit code', () => {
  test.each([
    ['pytest', 'pytest -q || true', '\nno tests ran in 0.00s\n'],
    ['ctest', 'ctest', 'Test project /workspace/build\nNo tests were found!!!\n'],
    ['phpunit', 'vendor/bin/phpunit', 'PHPUnit 9.6.0 by Sebastian Bergmann.\n\nNo tests executed!\n'],
    ['exunit', 'mix test', 'There are no tests to run\n'],
    ['catch2', './tests', 'Filters: nothing\nNo tests ran\n'],
    ['bun-test', 'bun test', 'bun test v1.2.0 (b0f4d1a2)\nNo tests found!\n'],
    ['node-test', 'node --test', TAP_OF_NODE],
    ['tap', 'node test.js', 'TAP version 13\n1..0 # SKIP no database\n'],
    ['swift-test', 'swift test', '\t Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n'],
    ['jasmine', 'jasmine', 'Started\n\n\nNo specs found\nFinished in 0.001 seconds\n'],
    ['cucumber', 'cucumber-js', '0 scenarios\n0 steps\n0m00.000s (executing steps: 0m00.000s)\n'],
  ])('%s', (tool, command, output) => {
    const { tests } = digestText(output, { command, type: 'test' }, 0)
    expect(tests).toMatchObject([{ tool, ran: 0, passed: 0, units: [] }])
    expect(ranNothing(tests)).toBe(true)
  })

  test('and if a second run of it found some, these count', () => {
    const of = (output: string) => digestText(output, { type: 'test' }, 0).tests
    expect(of('==> a\nThere are no tests to run\n==> b\n3 tests, 0 failures\n')).toMatchObject([{ ran: 3 }])
    expect(
      of('No tests were found!!!\n\n100% tests passed, 0 tests failed out of 2\n\nTotal Test time (real) = 0.1 sec\n'),
    ).toMatchObject([{ ran: 2 }])
    expect(of('No tests executed!\n\nOK (4 tests, 9 assertions)\n')).toMatchObject([{ ran: 4 }])
  })
})
