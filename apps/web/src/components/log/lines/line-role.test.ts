import { expect, test } from 'vitest'
import { roleOf } from './line-role.ts'

test('the lines of an agent are told apart', () => {
  expect(
    ['› I see', '⚙ bash({})', '✓ bash, 4 ms', '✗ bash, 4 ms', '  out', '§ push', 'anything'].map((line) =>
      roleOf(line, true),
    ),
  ).toEqual(['said', 'call', 'passed', 'failed', 'output', 'section', null])
})
test('what a test command prints looks as it was printed', () => {
  expect(['✓ a test', '  indented', '$ echo', '§ test: exit 1'].map((line) => roleOf(line, false))).toEqual([
    null,
    null,
    null,
    'section',
  ])
})
