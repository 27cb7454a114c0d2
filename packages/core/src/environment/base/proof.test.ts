import { describe, expect, test } from 'vitest'
import type { ToolTests } from '../../digest/tests-run.ts'
import { byExitCodeText, judgeBase, redNotice, redText, type BaseCheck } from './proof.ts'

const check = (own: Partial<BaseCheck> = {}): BaseCheck => ({
  name: 'test',
  type: 'test',
  command: 'npm test',
  passed: true,
  exitCode: 0,
  durationMs: 10,
  tool: 'generic',
  failures: null,
  collected: null,
  summary: 'test passed',
  digest: '',
  findings: [],
  ...own,
})
const ran = (count: number, passed: number): ToolTests => ({
  tool: 'pytest',
  failures: count - passed,
  ran: count,
  passed,
  units: [],
  unrun: [],
  stopped: false,
})
const red = (own: Partial<BaseCheck> = {}) => check({ passed: false, exitCode: 1, summary: 'it failed', ...own })

describe('a base', () => {
  test('is green when every check passes', () => {
    expect(judgeBase([check(), check({ name: 'lint' })])).toEqual({ is: 'green' })
  })

  test.each<[string, BaseCheck[]]>([
    ['a test passes', [red(), check({ name: 'more' })]],
    ['all fails but tests', [red({ name: 'lint', type: 'lint' }), check()]],
    ['a check that is no test passes, and no test fails', [red({ type: 'lint' }), check({ type: 'build' })]],
    [
      'some tests of its only check pass',
      [red({ tool: 'pytest', findings: ['pytest: test_a'], tests: [ran(200, 196)] })],
    ],
    ['a check has no test to run yet', [red({ exitCode: 0, tests: [ran(0, 0)] })]],
  ])('is red in part if %s', (_, checks) => {
    expect(judgeBase(checks)).toEqual({ is: 'red' })
  })

  test.each<[string, BaseCheck[], string]>([
    ['its only check fails', [red()], 'The only check fails before any work is done: test (npm test): it failed.'],
    [
      'its tests were collected, and none ran',
      [red({ tool: 'pytest', failures: 2, collected: 66, tests: [ran(0, 0)] })],
      'The only check fails before any work is done: test (npm test): it failed.',
    ],
    [
      'no test passes, whatever a linter says',
      [red(), check({ name: 'lint', type: 'lint' })],
      'No test passes before any work is done: test (npm test): it failed.',
    ],
    [
      'every test of every check fails',
      [red({ failures: 3, collected: 3 }), red({ name: 'lint', command: 'eslint .' })],
      'All 2 checks fail before any work is done: test (npm test): it failed; lint (eslint .): it failed.',
    ],
  ])('is broken if %s', (_, checks, text) => {
    expect(judgeBase(checks)).toMatchObject({ is: 'broken', by: 'checks', text })
  })

  test('is broken by a missing command, unless other tests run', () => {
    const digest = '[TEST] Tests failed\n\nsh: 1: vitest: not found'
    const lint = { name: 'lint', type: 'lint' } as const
    expect(judgeBase([check(), red({ ...lint, exitCode: 127 })])).toEqual({ is: 'red' })
    expect(judgeBase([check(lint), red({ exitCode: 127, digest })])).toEqual({
      is: 'broken',
      by: 'command',
      text: 'The check test (npm test) cannot run: vitest is not installed.',
      fix: 'Install vitest in "setup", or choose an "image" that has it, in beadloom.json.',
    })
  })
})

describe('a command that fails after tests that pass', () => {
  const digest = (line: string) => `[TEST] Tests failed (unable to extract specific test names)\n\n12 passed\n${line}\n`
  const after = (line: string, own: Partial<BaseCheck> = {}) =>
    red({ tests: [ran(12, 12)], digest: digest(line), ...own })

  test.each([
    ['c8', 'ERROR: Coverage for lines (83.33%) does not meet global threshold (100%)'],
    ['jest', 'Jest: "global" coverage threshold for branches (100%) not met: 97.5%'],
    ['pytest-cov', 'FAIL Required test coverage of 100% not reached. Total coverage: 99.00%'],
    ['size-limit', '  Package size limit has exceeded by 1.2 kB'],
    ['a program of its own', 'sh: 1: size-limit: not found'],
    ['anything else', 'goodbye'],
  ])('closes the project, because no work could pass it: %s', (_, line) => {
    const end = judgeBase([after(line), check({ name: 'more' }), check({ name: 'lint', type: 'lint' })])
    expect(end).toMatchObject({
      is: 'broken',
      by: 'checks',
      text: `No work could pass a check that fails before any work is done: test (npm test): the tests pass, and the command fails after them: ${line.trim()}.`,
      fix: expect.stringContaining('the tests\' own command as the check "test"'),
    })
  })

  test('is explained by its last reason, although the runner’s counts and npm’s words come later', () => {
    const line =
      'Jest: "global" coverage threshold for lines (80%) not met: 70%\nTests:  12 passed, 0 failed, 12 total\nnpm error Lifecycle script `test` failed with error:'
    expect(judgeBase([after(line)])).toMatchObject({
      text: expect.stringMatching(/: Jest: "global" .* not met: 70%\.$/),
    })
  })

  test('is told apart from tests that fail without a name, and from a command that does not end', () => {
    expect(judgeBase([red({ tool: 'tap', failures: 4, tests: [ran(9, 5)] })])).toMatchObject({
      is: 'broken',
      text: expect.stringContaining('tests fail, and the output does not name them'),
    })
    expect(judgeBase([after('', { exitCode: null })])).toMatchObject({ text: expect.stringContaining('does not end') })
  })

  test('closes nothing if it runs for a part of the work alone, and counts there', () => {
    const part = after('goodbye')
    const steps = [{ name: 'test', paths: ['web'] }]
    expect(judgeBase([part, check({ name: 'more' })], null, steps)).toEqual({ is: 'red' })
    expect(redText([part], 'main')).toBe(
      'No work can pass test (npm test): the tests pass, and the command fails after them: goodbye.',
    )
    expect(redNotice([part])).toBe(
      'test (npm test) fails before any work of yours, and counts all the same: the tests pass, and the command fails after them: goodbye.',
    )
  })
})

test('checks that could not run on the base are named, and code that has no test yet', () => {
  const lacking = { ...ran(3, 3), unrun: ['tests/test_b64.py'] }
  expect(redText([red({ tests: [lacking] }), check({ name: 'lint', type: 'lint' })], 'main')).toContain(
    'The tests of tests/test_b64.py could not run: work on what they cover is not checked.',
  )
  const opaque = { ...ran(3, 1), tool: 'ctest', opaque: ['cart', 'shop'] }
  expect(redText([red({ tool: 'ctest', findings: ['ctest: cart'], tests: [opaque] })], 'main')).toContain(
    'The output does not name the tests that fail in cart, shop: work on what they cover is not checked.',
  )
  expect(redText([red({ exitCode: 0, tests: [ran(0, 0)] })], 'main')).toBe('test (npm test) has no test to run yet.')
  expect(redNotice([red({ exitCode: 0, tests: [ran(0, 0)] })])).toBe('test (npm test) has no test to run yet: add one.')
})

test('a check of tests whose output nobody can read is named, as its exit code alone decides', () => {
  const told =
    'test (npm test): Beadloom recognises no test runner in its output, so the exit code alone decides, and a test that no longer runs goes unnoticed.'
  expect(byExitCodeText([check(), check({ name: 'lint', type: 'lint' })])).toBe(told)
  expect(byExitCodeText([check({ tests: [ran(3, 3)] })])).toBe('')
  expect(redText([red({ type: 'lint', name: 'lint' }), check()], 'main')).toContain(told)
})

test('failures on the base are named, with their number', () => {
  const some = check({ tests: [ran(3, 3)] })
  expect(redText([red({ name: 'lint', type: 'lint', command: 'eslint .' }), some], 'main')).toBe(
    '1 of 2 checks fails on main too: lint (eslint .): it failed. It does not count against an agent.',
  )
  expect(redText([red({ name: 'more' }), some], 'main')).toContain(
    'No test of more is known to have run: work on code is not checked by it.',
  )
})

test('an agent with a part of a plan is told neither to push nor to add tests', () => {
  expect(redNotice([red()], true)).toMatch(/your tests count as passed\.$/)
  expect(redNotice([red()])).toMatch(/your tests count as passed: commit and push\.$/)
  expect(redNotice([red({ exitCode: 0, tests: [ran(0, 0)] })], true)).toBe('test (npm test) has no test to run yet.')
})

test('an agent is told what fails before its work, at most five of it', () => {
  const notice = redNotice([
    red(),
    check(),
    ...Array.from({ length: 6 }, () => red({ name: 'lint', command: 'eslint .' })),
  ])
  expect(notice.split('\n')).toEqual([
    'This fails on the commit that you start from, before any work of yours:',
    '- test (npm test): it failed',
    '- lint (eslint .): it failed',
    '- lint (eslint .): it failed',
    '- lint (eslint .): it failed',
    '- lint (eslint .): it failed',
    '- and 2 more',
    expect.stringContaining('It does not count against your work.'),
  ])
})
