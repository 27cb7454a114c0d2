// @suite unit-long

import { expect, test } from 'vitest'
import { pullRequestText, type PullRequestFactsForText } from './pull-request-text.ts'

const facts: PullRequestFactsForText = {
  title: null,
  branch: 'beadloom/work',
  commit: 'c'.repeat(40),
  reviewed: 'c'.repeat(40),
  beads: [
    { id: 'bl-1', title: 'Reject empty names', execution: 'ex-0000000001' },
    { id: 'bl-2', title: 'Greet in French', execution: 'ex-0000000002' },
  ],
  checks: [{ name: 'test', command: 'npm test', summary: '12 tests passed', commit: 'c'.repeat(40) }],
  review: { id: 'ex-0000000003', summary: 'Adds a greeting.', issues: [] },
}
const issue = {
  title: 'No test for null',
  description: 'x',
  priority: 3,
  type: 'task',
  severity: 'low' as const,
  file_path: 'src/greet.ts',
  line_numbers: [4, 5],
  bead: 'bl-9r1',
}

test('is bounded: no forge refuses it for its length', () => {
  const long = '@#'.repeat(20_000)
  const many = <T>(one: T): T[] => Array.from({ length: 500 }, () => one)
  const { title, body } = pullRequestText({
    ...facts,
    beads: many({ id: `bl-${'1'.repeat(125)}`, title: long, execution: 'ex-0000000001' }),
    checks: many({ name: long, command: long, summary: long, commit: 'e'.repeat(40) }),
    review: { ...facts.review, summary: long, issues: many({ ...issue, title: long, file_path: long }) },
  })
  expect(title.length).toBeLessThanOrEqual(200)
  expect(body.length).toBeLessThan(60_000)
  expect(body).toContain('… and 470 more')
})
