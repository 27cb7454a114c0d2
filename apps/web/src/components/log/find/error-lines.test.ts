import { expect, test } from 'vitest'
import { ERROR_LINES, stepTo } from './error-lines.ts'
import { LogHits } from './log-hits.ts'

const isError = (line: string) => new RegExp(ERROR_LINES).test(line)

test.each([
  'not ok 3 - parses durations',
  '    ✖ keeps emoji whole (0.5ms)',
  '✗ bash, 1.8 s',
  '  AssertionError [ERR_ASSERTION]: expected 3',
  'src/index.ts(3,7): error TS2322: Type',
  'error[E0308]: mismatched types',
  'FAIL test/a.test.ts',
  '--- FAIL: TestParse (0.00s)',
  'Traceback (most recent call last):',
  'npm error code ERESOLVE',
  'fatal: not a git repository',
  'java.lang.NullPointerException: null',
  'Uncaught RangeError: not a width',
  'java.lang.IllegalStateException',
  '! 730535440 bytes were left out here',
  '§ test: exit 1, 20.4 s',
  '› error: it does not compile',
])('an error: %s', (line) => {
  expect(isError(line)).toBe(true)
})

test.each([
  '✔ keeps emoji whole',
  'ℹ fail 0',
  '0 errors, 0 warnings',
  '§ test: exit 0, 20.4 s',
  '› I handle the error case in parse().',
  'ok 3 - not an error',
  '✓ bash, 10 ms',
  "! the agent's commit did not name its bead: its message does now",
  '  throw new RangeError(`not a width: ${width}`)',
  "  assert.throws(() => truncate('hello', 0), RangeError)",
])('no error: %s', (line) => {
  expect(isError(line)).toBe(false)
})

test('steps wrap around the end', () => {
  const lines = new LogHits()
  for (const line of [3, 10, 40]) lines.push(line, 0, 1)
  expect(stepTo(lines, 0, 1)).toBe(3)
  expect(stepTo(lines, 10, 1)).toBe(40)
  expect(stepTo(lines, 40, 1)).toBe(3)
  expect(stepTo(lines, 10, -1)).toBe(3)
  expect(stepTo(lines, 3, -1)).toBe(40)
  expect(stepTo(new LogHits(), 3, 1)).toBeNull()
})
