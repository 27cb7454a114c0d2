import { expect, test } from 'vitest'
import { judgeRedGreen } from './red-green.ts'

test.each([
  [2, { exitCode: 1, failures: 2, collected: 2 }, 'red', '2 new tests, both fail without the change'],
  [1, { exitCode: 1, failures: 1, collected: 5 }, 'red', '1 new test, it fails without the change'],
  [3, { exitCode: 1, failures: 0, collected: 0 }, 'red', '3 new tests, all fail without the change'],
  [2, { exitCode: 1, failures: 1, collected: 1 }, 'red', '2 new tests, both fail without the change'],
  [3, { exitCode: 1, failures: 1, collected: 9 }, 'partly', '3 new tests, 1 of them fails without the change'],
  [2, { exitCode: 0, failures: 0, collected: 2 }, 'green', '2 new tests, and none fails without the change'],
  [1, { exitCode: 0, failures: 0, collected: 5 }, 'green', '1 new test, and it passes without the change'],
  [0, { exitCode: 1, failures: 1, collected: 5 }, 'red', '1 changed test file, which fails without the change'],
  [
    2,
    { exitCode: 0, failures: 0, collected: 0 },
    'unknown',
    '2 new tests: the runner found none of them without the change',
  ],
  [
    2,
    { exitCode: null, failures: null, collected: null },
    'unknown',
    '2 new tests: without the change they did not end in time',
  ],
  [
    2,
    { exitCode: 127, failures: null, collected: null },
    'unknown',
    '2 new tests: the command for just these could not be started',
  ],
] as const)('%i new tests that end with %o are %s', (added, run, is, text) => {
  expect(judgeRedGreen(added, 1, run)).toEqual({ is, text })
})
