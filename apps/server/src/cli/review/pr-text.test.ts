import { describe, expect, test } from 'vitest'
import type { PullRequestView } from '@beadloom/core/api/pull-requests/pull-request-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { exitOfPullRequest } from './pr-command.ts'
import { pullRequestLines } from './pr-text.ts'

const view: PullRequestView = {
  id: 'pr-0000000001',
  project: 'demo',
  state: 'open',
  branch: 'beadloom/work',
  base: 'main',
  commit: 'c'.repeat(40),
  title: 'bl-1: Greet',
  review: 'ex-0000000001',
  forge: 'git.example.org',
  url: 'https://git.example.org/a/b/pulls/12',
  number: 12,
  detail: 'Opened, with cccccccccccc.',
  askedAt: 1,
  endedAt: 2,
}
const review: ReviewView = {
  id: 'ex-0000000001',
  project: 'demo',
  bead: null,
  branch: 'beadloom/work',
  from: 'a'.repeat(40),
  to: 'c'.repeat(40),
  current: true,
  state: 'COMPLETED',
  reason: null,
  detail: 'Not ready for a pull request, 1 issue: the reviewer says that it is not ready.',
  model: null,
  session: null,
  verdict: 'not_ready',
  pr_ready: false,
  reasons: ['the reviewer says that it is not ready'],
  summary: 'It says hello.',
  issues: [
    {
      number: 1,
      title: 'It greets nobody',
      description: 'Nobody is greeted.',
      priority: 1,
      type: 'bug',
      severity: 'high',
      file_path: 'greeting.txt',
      line_numbers: [1],
      outside_diff: false,
      filed: 'new',
      bead: 'bl-9r1',
      beadStatus: 'open',
      dismissed: null,
    },
  ],
  fixed: [],
  queuedAt: 1,
  startedAt: 2,
  endedAt: 3,
}

describe('a pull request in the terminal', () => {
  test('has its address on a line of its own, the last one', () => {
    for (const state of ['open', 'pushed', 'failed'] as const)
      expect(
        pullRequestLines({ ...view, state }, null)
          .split('\n')
          .at(-1),
      ).toBe(view.url)
    expect(pullRequestLines(view, null)).toContain('✓ #12 bl-1: Greet')
    expect(pullRequestLines({ ...view, state: 'pushed', url: null }, null)).toBe(`✓ ${view.detail}`)
  })

  test('that is not ready shows the issues, the verdict with its reasons, and what to do', () => {
    const text = pullRequestLines({ ...view, state: 'not_ready', url: null }, review)
    for (const part of ['It says hello.', 'It greets nobody', 'filed as bl-9r1', review.detail, 'review --again'])
      expect(text).toContain(part)
  })

  test('whose review gave no usable answer says to ask again, and names no issues', () => {
    const text = pullRequestLines(
      { ...view, state: 'not_ready', url: null },
      { ...review, verdict: 'unparseable', issues: [] },
    )
    expect(text).toContain('To review again: beadloom pr')
    expect(text).not.toContain('dismiss')
  })

  test('that is under way says how to follow it', () => {
    expect(pullRequestLines({ ...view, state: 'reviewing', url: null }, null)).toContain('beadloom pr --wait')
  })

  test('cannot control the terminal, whatever a forge or a title says', () => {
    for (const state of ['open', 'pushed', 'failed', 'opening'] as const)
      expect(
        pullRequestLines({ ...view, state, title: 'a\u001b[2Jb', url: 'c\u001b]0;d', detail: 'e\u009b1A' }, null),
      ).not.toMatch(/\p{Cc}(?<!\n)/u)
  })

  test('ends with 0 when it is open or pushed, with 1 when it is not ready or failed', () => {
    const states = ['open', 'pushed', 'not_ready', 'failed', 'reviewing', 'opening'] as const
    expect(states.map(exitOfPullRequest)).toEqual([0, 0, 1, 1, 0, 0])
  })
})
