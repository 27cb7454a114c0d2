import { expect, test } from 'vitest'
import { withTroubles } from './service-troubles.ts'

const row = { passed: false, summary: '1 test failed', digest: 'expected 3, got 4 at cart.test.ts:12' }
const printed = Array.from({ length: 200 }, (_, at) => `health check ${at}: FATAL: role "root" does not exist`)
const trouble = ['The service db ended with exit code 1 while it was needed.', ...printed].join('\n')

test("the service's trouble comes first, then the test's own words, then a bounded tail of the service's lines", () => {
  const { summary, digest } = withTroubles(row, [trouble])
  expect(summary).toBe('1 test failed (The service db ended with exit code 1 while it was needed.)')
  expect(digest.startsWith(`The service db ended with exit code 1 while it was needed.\n\n${row.digest}\n\n…\n`)).toBe(
    true,
  )
  expect(digest.endsWith(printed.at(-1)!)).toBe(true)
  expect(digest.length).toBeLessThan(800)
})

test("each of several services is named before the test's words", () => {
  const { digest } = withTroubles(row, [
    'The service a is gone while it was needed.',
    'The service b is gone while it was needed.\nlast',
  ])
  expect(digest).toBe(
    `The service a is gone while it was needed.\nThe service b is gone while it was needed.\n\n${row.digest}\n\nlast`,
  )
})

test('a passed check stays as it is', () => {
  expect(withTroubles({ ...row, passed: true }, [trouble]).digest).toBe(row.digest)
})
