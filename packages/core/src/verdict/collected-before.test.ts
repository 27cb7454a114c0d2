import { expect, test } from 'vitest'
import type { Verification } from '../records/verification.ts'
import { collectedBefore } from './collected-before.ts'

const row = (attempt: number, name: string, collected: number, passed: boolean) => {
  const said = { type: 'test', purpose: 'work', run: 1, command: `test ${name}`, commit: `${attempt}`.repeat(40) }
  return { ...said, attempt, name, collected, passed } as Verification
}

test('a check that its paths chose is not compared with the tests of another one', () => {
  const former = [row(1, 'api', 12, false)]
  expect(collectedBefore(former, [row(2, 'web', 3, true)])).toBeNull()
  expect(collectedBefore(former, [row(2, 'api', 12, true), row(2, 'web', 3, true)])).toMatchObject({
    before: 12,
    after: 12,
  })
})

test('the tests of another check make up for none that a check has lost', () => {
  const former = [row(1, 'api', 12, false), row(1, 'web', 3, true)]
  const found = collectedBefore(former, [row(2, 'api', 10, true), row(2, 'web', 5, true)])
  expect(found).toEqual({ before: 12, after: 10, commit: '1'.repeat(40) })
})

test('a check that first failed in the second attempt is compared with that one', () => {
  const former = [row(1, 'api', 12, false), row(2, 'web', 5, false)]
  expect(collectedBefore(former, [row(3, 'web', 4, true)])).toMatchObject({ before: 5, after: 4 })
})
