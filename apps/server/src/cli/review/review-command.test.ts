import { expect, test } from 'vitest'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { exitOf } from './review-command.ts'
import { reviewText } from './review-text.ts'

const view: ReviewView = {
  id: 'ex-0123456789',
  project: 'demo',
  bead: 'bl-1',
  branch: 'beads-bl-1-greet',
  from: 'a'.repeat(40),
  to: 'b'.repeat(40),
  current: true,
  state: 'COMPLETED',
  reason: null,
  model: 'gpt-5-mini',
  session: 'ex-0123456789.1',
  detail: 'Not ready for a pull request, 1 issue: the reviewer says that it is not ready.',
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
      line_numbers: [1, 2],
      outside_diff: true,
      filed: 'new',
      bead: 'bl-0123r1',
      beadStatus: 'open',
      dismissed: null,
    },
  ],
  fixed: [{ bead: 'bl-0000r1', title: 'No test' }],
  queuedAt: 1,
  startedAt: 1,
  endedAt: 2,
}

test('the exit code of a review says whether it is ready for a pull request', () => {
  expect(exitOf({ state: 'COMPLETED', verdict: 'ready' })).toBe(0)
  expect(exitOf({ state: 'COMPLETED', verdict: 'not_ready' })).toBe(1)
  expect(exitOf({ state: 'COMPLETED', verdict: 'unparseable' })).toBe(1)
  expect(exitOf({ state: 'RUNNING', verdict: null })).toBe(0)
  expect(exitOf({ state: 'CANCELLED', verdict: null })).toBe(13)
})

test('a review for people ends with its verdict, and every issue says what became of it', () => {
  const text = reviewText(view)
  for (const part of ['It says hello.', 'high     It greets nobody', 'greeting.txt:1,2, outside the diff (P1)'])
    expect(text).toContain(part)
  expect(text).toContain('filed as bl-0123r1')
  expect(text).toContain('No longer found: bl-0000r1 (No test)')
  expect(text.split('\n').at(-1)).toBe(`✕ ${view.detail}`)
  expect(reviewText({ ...view, state: 'RUNNING' })).toContain('beadloom logs -f ex-0123456789')
  const waiting = {
    ...view,
    state: 'QUEUED' as const,
    reason: { code: 'slots_in_use' as const, text: '3 of 3 slots in use' },
  }
  expect(reviewText(waiting)).toContain('is QUEUED (3 of 3 slots in use). ')
  const unwanted = { ...view, issues: view.issues.map((issue) => ({ ...issue, dismissed: 'as it\nis meant' })) }
  expect(reviewText(unwanted)).toContain('dismissed (bl-0123r1): as it is meant')
})

test("a reviewer's text cannot control a terminal", () => {
  const text = reviewText({
    ...view,
    summary: 'a\u001b]0;x\u0007b',
    issues: [{ ...view.issues[0]!, title: 'c\u001b[2Jd' }],
  })
  expect(text).not.toContain('\u001b')
})
