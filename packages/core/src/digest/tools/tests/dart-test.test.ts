import { expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'
import { ranNothing } from '../../tests-run.ts'

const read = (text: string, exitCode: number) => digestText(text, { command: 'dart test', type: 'test' }, exitCode)

test('dart test names failed tests, and counts tests that ran without skipped ones', () => {
  const digest = read(fixture('dart-test/failures'), 1)
  expect(digest).toMatchObject({ tool: 'dart-test', failures: 1, collected: 4 })
  expect(digest.tests).toMatchObject([
    { ran: 3, passed: 2, failed: ['cart_test.dart: Cart totals'], places: ['test/cart_test.dart: Cart totals'] },
  ])
  expect(digest.digest).toContain('Actual: <5>')
  expect(read(fixture('dart-test/passing'), 0)).toMatchObject({ passed: true, tests: [{ ran: 2, passed: 2 }] })
  expect(ranNothing(read('00:00 +0: loading test/a_test.dart\nNo tests ran.\n', 79).tests)).toBe(true)
  expect(ranNothing(read('00:00 +0 ~2: All tests skipped.\n', 0).tests)).toBe(true)
})
