import { describe, expect, test } from 'vitest'
import { countsOf, groupIssues, linesText, openCount, placeText, statusOf, stepIssue } from './issues.ts'
import { issueOf } from '../testing.ts'

const numbers = (groups: ReturnType<typeof groupIssues>) =>
  groups.map(({ title, issues }) => [title, issues.map(({ number }) => number)])

const issues = [
  issueOf(1, { severity: 'low', file_path: 'a.ts', line_numbers: [90] }),
  issueOf(2, { severity: 'critical', file_path: 'b.ts', line_numbers: [40] }),
  issueOf(3, { severity: 'high', file_path: 'a.ts', line_numbers: [] }),
  issueOf(4, { severity: 'high', file_path: 'b.ts', line_numbers: [7], priority: 0 }),
]

describe('the issues of a review', () => {
  test('are sorted by severity, the worst first, and then by priority', () => {
    expect(numbers(groupIssues(issues, 'severity'))).toEqual([
      ['critical', [2]],
      ['high', [4, 3]],
      ['low', [1]],
    ])
  })

  test('are sorted by file, the one with the worst issue first, and from top to bottom within it', () => {
    expect(numbers(groupIssues(issues, 'file'))).toEqual([
      ['b.ts', [4, 2]],
      ['a.ts', [3, 1]],
    ])
  })

  test('are counted by severity, without empty ones', () => {
    expect(countsOf(issues)).toEqual([
      { severity: 'critical', count: 1 },
      { severity: 'high', count: 2 },
      { severity: 'low', count: 1 },
    ])
  })

  test('are fixed when their bead is done, and dismissed whatever their bead is', () => {
    expect(statusOf(issueOf(1))).toBe('open')
    expect(statusOf(issueOf(1, { bead: null, beadStatus: null }))).toBe('open')
    expect(statusOf(issueOf(1, { beadStatus: 'done' }))).toBe('fixed')
    expect(statusOf(issueOf(1, { beadStatus: 'done', dismissed: 'so' }))).toBe('dismissed')
    expect(openCount([issueOf(1), issueOf(2, { beadStatus: 'done' }), issueOf(3, { dismissed: 'dismissed' })])).toBe(1)
  })

  test('are stepped through in the order on the screen, and not beyond its ends', () => {
    const groups = groupIssues(issues, 'severity') // 2, 4, 3, 1
    expect(stepIssue(groups, undefined, 1)).toBe(2)
    expect(stepIssue(groups, undefined, -1)).toBe(2)
    expect(stepIssue(groups, 2, 1)).toBe(4)
    expect(stepIssue(groups, 3, -1)).toBe(4)
    expect(stepIssue(groups, 1, 1)).toBe(1)
    expect(stepIssue(groups, 99, 1)).toBe(2) // a link may name an issue that is gone
    expect(stepIssue([], undefined, 1)).toBeUndefined()
  })
})

test('the place of an issue names its lines, neighbours together and at most three ranges', () => {
  expect(linesText([])).toBe('')
  expect(linesText([3])).toBe('3')
  expect(linesText([5, 3, 4, 9])).toBe('3–5, 9')
  expect(linesText([1, 3, 5, 7])).toBe('1, 3, 5, …')
  expect(placeText({ file_path: 'a.ts', line_numbers: [] })).toBe('a.ts')
  expect(placeText({ file_path: 'a.ts', line_numbers: [1, 2] })).toBe('a.ts:1–2')
})
