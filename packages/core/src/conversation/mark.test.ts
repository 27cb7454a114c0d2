import { expect, test } from 'vitest'
import { markOf } from './mark.ts'

test.each([
  ['· step 3 of 100', 'round'],
  ['· [REACT] Attempt 2/4 for task', 'fresh'],
  ['! the context is 83% full: the agent continues in a fresh one with this handover', 'handover'],
  ['! pi shortened its context (overflow): about 1619 tokens became 1524', 'compaction'],
  ['# the context was 91% full (182k of 200k tokens): the agent has shortened it to 31k', 'compaction'],
  ['! the model did not answer in time; trying again', 'retry'],
  ['# the model did not answer (503); trying again in 2 s (call 1 of 4)', 'retry'],
  ['# the model asked to wait until 14:02', 'retry'],
  ['! Reconnecting... 1/5 (high demand)', 'retry'],
  ['! API Error: 500. This is usually temporary — try again in a moment.', 'warning'],
  ['! exceeded retry limit, last status: 429', 'warning'],
  ['# the container uses 2 CPUs of 4 that were asked for', 'note'],
])('%s is a mark: %s', (line, of) => {
  expect(markOf(line)?.of).toBe(of)
})

test.each(['· a list', '. step 1 of 2', 'compaction', '›! trying again'])('%s is no mark', (line) => {
  expect(markOf(line)).toBe(null)
})
