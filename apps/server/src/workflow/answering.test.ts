import { expect, test } from 'vitest'
import type { HeardEvent } from '../ports/recorder.ts'
import { answerReader } from './answering.ts'

const piece = (text: string, last: boolean, nonce = 'ours'): HeardEvent => ({
  n: 1,
  at: 0,
  type: 'review',
  nonce,
  text,
  last,
})

test('an answer is put together from its pieces; lines with another nonce answer nothing', () => {
  const answers: [number, string][] = []
  const take = answerReader('ours', (number, text) => answers.push([number, text]))
  take(piece('{"pr_', false))
  take(piece('{"pr_ready":true}', true, 'theirs'))
  take({ n: 2, at: 0, type: 'message', text: 'approved' })
  take(piece('ready":false}', true))
  take(piece('{}', true))
  expect(answers).toEqual([
    [1, '{"pr_ready":false}'],
    [2, '{}'],
  ])
})

test('an answer without an end costs bounded memory', () => {
  const answers: string[] = []
  const take = answerReader('ours', (_, text) => answers.push(text))
  for (let at = 0; at < 100; at++) take(piece('x'.repeat(10_000), false))
  take(piece('', true))
  expect(answers[0]).toHaveLength(256 * 1024 + 1)
})
