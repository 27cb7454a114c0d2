import { expect, test } from 'vitest'
import {
  attemptsOf,
  chosenFreshStarts,
  defaultFreshStarts,
  FreshStartsInput,
  resolveFreshStarts,
} from './fresh-starts.ts'
import { combined, has, namesOf, retryConditions } from './retry-condition.ts'

test('they are off by default, and once on there are three of them after every failure', () => {
  expect(resolveFreshStarts({})).toEqual(defaultFreshStarts)
  expect(defaultFreshStarts).toEqual({
    retryOnFailure: false,
    maxRetries: 3,
    retryCondition: 15,
    retryPromptTemplate: null,
  })
  expect(attemptsOf(defaultFreshStarts)).toBe(1)
  expect(attemptsOf({ retryOnFailure: true, maxRetries: 3 })).toBe(4)
  expect(attemptsOf({ retryOnFailure: true, maxRetries: 0 })).toBe(1)
})

test('flags have their numbers, add up, and have names again', () => {
  expect(retryConditions).toEqual({
    None: 0,
    BuildErrors: 1,
    TestFailures: 2,
    ToolErrors: 4,
    MaxStepsReached: 8,
    AllFailures: 15,
  })
  const some = combined(['BuildErrors', 'MaxStepsReached', 'BuildErrors'])
  expect([some, has(some, 'BuildErrors'), has(some, 'TestFailures')]).toEqual([9, true, false])
  expect(namesOf(some)).toEqual(['BuildErrors', 'MaxStepsReached'])
  expect(namesOf(combined(['TestFailures', 'ToolErrors', 'BuildErrors', 'MaxStepsReached']))).toEqual(['AllFailures'])
  expect([namesOf(0), combined([]), combined(['None'])]).toEqual([['None'], 0, 0])
})

test('a person may choose both for one execution, and leaves the rest to the project', () => {
  const ours = resolveFreshStarts({ retryOnFailure: true, maxRetries: 2, retryCondition: ['BuildErrors'] })
  expect(chosenFreshStarts(ours, {})).toEqual(ours)
  expect(chosenFreshStarts(ours, { retryOnFailure: false })).toEqual({ ...ours, retryOnFailure: false })
  expect(chosenFreshStarts(ours, { maxRetries: 1 })).toEqual({ ...ours, maxRetries: 1 })
})

test.each<[object, boolean]>([
  [{ retryOnFailure: true, maxRetries: 10, retryCondition: ['None'], retryPromptTemplate: null }, true],
  [{ maxRetries: 11 }, false],
  [{ maxRetries: -1 }, false],
  [{ maxRetries: 1.5 }, false],
  [{ retryCondition: ['Everything'] }, false],
  [{ retryPromptTemplate: '' }, false],
  [{ retryCount: 1 }, false],
])('%j is accepted: %s', (input, taken) => {
  expect(FreshStartsInput.safeParse(input).success).toBe(taken)
})
