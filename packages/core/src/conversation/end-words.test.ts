import { expect, test } from 'vitest'
import { endWords } from './end-words.ts'

test.each([
  ['completed', 'Completed'],
  ['failed\nthe agent made 3 calls in a row', 'Failed\nThe agent made 3 calls in a row'],
  ['failed\nthe agent is blocked: which database?', 'Blocked\nwhich database?'],
  ['failed\nsaid: the agent is blocked: no', 'Failed\nsaid: the agent is blocked: no'],
])('%j is said as %j', (text, said) => {
  expect(endWords(text)).toBe(said)
})
