import { expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { newsOf, type Known } from './review-news.ts'

const nothing: Known = { of: '', tokens: new Map() }
const run = (id: string, kind: string, state: string, more: object = {}) =>
  ({ id, kind, state, attempt: 1, commit: null, tokens: { input: 0, output: 0 }, ...more }) as ExecutionView

test('news about reviews on the feed is a change of state, and after the end every change', () => {
  const running = run('r', 'review', 'RUNNING')
  const first = newsOf(nothing, 'a 1', [running])
  expect(first).toMatchObject({ reviews: true, work: true }) // the state before is unknown
  const typing = newsOf(first.known, 'a 1', [{ ...running, tokens: { input: 9, output: 9 } }])
  expect(typing).toMatchObject({ reviews: false, work: false })
  const ended = run('r', 'review', 'COMPLETED')
  const end = newsOf(typing.known, 'a 1', [ended])
  expect(end.reviews).toBe(true)
  expect(newsOf(end.known, 'a 1', [ended]).reviews).toBe(false)
  expect(newsOf(end.known, 'a 1', [{ ...ended }]).reviews).toBe(true) // its beads were filed, or an issue dismissed
})

test('work is news when it may have moved a branch', () => {
  const before = newsOf(nothing, 'a 1', [run('w', 'work', 'RUNNING')]).known
  expect(newsOf(before, 'a 1', [run('w', 'work', 'RUNNING')])).toMatchObject({ reviews: false, work: false })
  expect(newsOf(before, 'a 1', [run('w', 'work', 'COMPLETED', { commit: 'c' })])).toMatchObject({
    reviews: false,
    work: true,
  })
})

test('a review that vanished without its end is requested again, and so is everything of another server or project', () => {
  const { known } = newsOf(nothing, 'a 1', [run('r', 'review', 'RUNNING')])
  expect(newsOf(known, 'a 1', [])).toMatchObject({ reviews: true })
  expect(newsOf(known, 'a 2', [run('r', 'review', 'RUNNING')])).toMatchObject({ reviews: true })
})
