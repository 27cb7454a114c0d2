import { expect, test } from 'vitest'
import { roleOf } from './line-role.ts'

test('the lines of an agent are distinguished by their role', () => {
  expect(
    ['› I see', '⚙ bash({})', '✓ bash, 4 ms', '✗ bash, 4 ms', '  out', '§ push', 'anything'].map((line) =>
      roleOf(line, true),
    ),
  ).toEqual(['said', 'call', 'passed', 'failed', 'output', 'section', null])
})
test("a test command's output looks as it was printed", () => {
  expect(['✓ a test', '  indented', '$ echo', '§ test: exit 1'].map((line) => roleOf(line, false))).toEqual([
    null,
    null,
    null,
    'section',
  ])
})

test('a line of a sub-agent is the text behind its name, in the log of an agent alone', () => {
  const lines = ['⑂ test-agent#1 › I look.', '⑂ test-agent#12 ⚙ bash({})', '⑂ test-agent#1   a.ts', '⑂ test-agent › no']
  expect(lines.map((line) => roleOf(line, true))).toEqual(['said', 'call', 'output', null])
  expect(roleOf('⑂ test-agent#1 § all', false)).toBeNull()
})
