import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { describeIssue } from './config-error.ts'

const Sizes = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(5)),
  labels: z.array(z.string()).check(z.maxLength(1)),
  slots: z.number().check(z.minimum(2), z.maximum(1000)),
  share: z.number().check(z.gt(0)),
})
const said = (given: object): string[] =>
  Sizes.safeParse({ name: 'a', labels: [], slots: 2, share: 1, ...given }).error?.issues.map(describeIssue) ?? []

test.each([
  [{ name: '' }, '"name": must not be empty'],
  [{ name: 'abcdef' }, '"name": must be at most 5 characters'],
  [{ labels: ['a', 'b'] }, '"labels": must be at most 1 entry'],
  [{ slots: 1 }, '"slots": must be at least 2'],
  [{ slots: 1001 }, '"slots": must be at most 1,000'],
  [{ share: 0 }, '"share": must be more than 0'],
  [{ slots: 'two' }, '"slots": expected number, received string'],
])('a refused size is described in words, not in signs: %j', (given, text) => {
  expect(said(given)).toEqual([text])
})
