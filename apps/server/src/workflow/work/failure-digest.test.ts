import { expect, test } from 'vitest'
import { failedStep } from '@beadloom/core/testing/sample-follow-up.ts'
import { digestOfFailures } from './failure-digest.ts'

/** An attempt whose check failed, and failed again when it was repeated. */
const failed = (attempt: number, digest: string) => [1, 2].map((run) => failedStep(attempt, { digest, run }))

test('attempts that failed in the same way are shown once', () => {
  const said = digestOfFailures([1, 2, 3].flatMap((attempt) => failed(attempt, 'adds: 2 !== 3')))
  expect(said.match(/2 !== 3/g)).toHaveLength(1)
  expect(said).toContain('(attempts 2 and 1 failed in the same way: another approach is needed)')
})

test("an earlier attempt's failure comes after the newest", () => {
  const said = digestOfFailures([...failed(1, 'one'), ...failed(2, 'one'), ...failed(3, 'three')])
  expect(said.indexOf('three')).toBeLessThan(said.indexOf('Attempts 2 and 1 had failed with:'))
  expect(said.match(/one/g)).toHaveLength(1)
})
