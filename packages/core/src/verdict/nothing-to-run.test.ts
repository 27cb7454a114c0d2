import { expect, test } from 'vitest'
import { digestText } from '../digest/digest-reader.ts'
import { hasNothingToRun } from './nothing-to-run.ts'

const says = (command: string, ...lines: string[]) =>
  hasNothingToRun(command, digestText(`${lines.join('\n')}\n`, { command, type: 'test' }, 0))

/** Output of Go 1.26 for packages with a benchmark, an example without output, no test file, and a test. */
const benchmark = [
  'testing: warning: no tests to run',
  'PASS',
  'ok  \texample.com/shop/bench\t0.008s [no tests to run]',
]
const example = 'ok  \texample.com/shop/exno\t(cached) [no tests to run]'
const noFile = '?   \texample.com/shop/none\t[no test files]'
const tested = ['=== RUN   TestAdd', '--- PASS: TestAdd (0.00s)', 'PASS', 'ok  \texample.com/shop/real\t0.003s']
const event = (action: string, more: object = {}) =>
  JSON.stringify({ Time: '2026-11-29T04:31:11Z', Action: action, Package: 'example.com/shop/bench', ...more })
const asJson = [
  event('start'),
  event('output', { Output: 'testing: warning: no tests to run\n' }),
  event('output', { Output: 'PASS\n' }),
  event('output', { Output: 'ok  \texample.com/shop/bench\t0.024s [no tests to run]\n' }),
  event('pass', { Elapsed: 0.102 }),
]

test('a Go module with only benchmarks or examples has nothing to run', () => {
  expect(says('go test -v ./...', ...benchmark, example, noFile)).toBe(true)
  expect(says('cd bench && go test ./...', benchmark[2] ?? '', example)).toBe(true)
  expect(says('go test -json ./...', ...asJson)).toBe(true)
})

test('a module that has a test, or no file of tests, or whose tests the command chooses from, is not one', () => {
  expect(says('go test -v ./...', ...benchmark, ...tested)).toBe(false)
  expect(says('go test ./...', example, tested.at(-1) ?? '')).toBe(false)
  expect(says('go test -v ./...', noFile)).toBe(false)
  expect(says('go test -run=TestNone ./...', example)).toBe(false)
  expect(says('go test ./... -skip .', example)).toBe(false)
  expect(says('make test', example)).toBe(false)
})

test('a Go package without anything to run did not run, in JSON too', () => {
  const digest = digestText(`${asJson.join('\n')}\n`, { command: 'go test -json ./...' }, 0)
  expect(digest.tests).toMatchObject([{ passed: 0, units: [] }])
})
