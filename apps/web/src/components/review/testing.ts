import type { ReviewIssueView, ReviewView } from '@beadloom/core/api/reviews/review-api.ts'

/** An open issue, as a review reports it. */
export const issueOf = (number: number, given: Partial<ReviewIssueView> = {}): ReviewIssueView => ({
  number,
  title: `Issue ${number}`,
  description: 'It is wrong.',
  priority: 2,
  type: 'bug',
  severity: 'medium',
  file_path: 'src/a.ts',
  line_numbers: [number],
  outside_diff: false,
  filed: 'new',
  bead: `bl-r${number}`,
  beadStatus: 'open',
  dismissed: null,
  ...given,
})

/** A review of bl-1 that has ended and is not ready. */
export const reviewOf = (given: Partial<ReviewView> = {}): ReviewView => ({
  id: 'ex-0000000001',
  project: 'demo',
  bead: 'bl-1',
  branch: 'beads-bl-1',
  from: 'a'.repeat(40),
  to: 'b'.repeat(40),
  current: true,
  state: 'COMPLETED',
  reason: null,
  detail: 'Not ready for a pull request, 2 issues: the reviewer says that it is not ready.',
  model: 'm',
  session: 'ex-0000000001.1',
  verdict: 'not_ready',
  pr_ready: false,
  reasons: ['the reviewer says that it is not ready'],
  summary: '',
  issues: [issueOf(1), issueOf(2)],
  fixed: [],
  queuedAt: 1000,
  startedAt: 2000,
  endedAt: 9000,
  ...given,
})
