import type { SignInView } from '@beadloom/core/api/people/sign-ins-api.ts'
import { expect, test } from 'vitest'
import { paintOf } from '../terminal/paint.ts'
import { listed } from './sign-ins-command.ts'

const HOUR = 3_600_000
const one = (given: Partial<SignInView>): SignInView => ({
  id: 1,
  name: 'token',
  by: 'token',
  browser: 'Firefox on Linux',
  beganAt: 0,
  usedAt: 2 * HOUR,
  expiresAt: 30 * HOUR,
  here: false,
  ...given,
})

test('a browser is shown with its user, its sign-in and its expiry', () => {
  const text = listed([one({ id: 12 }), one({ name: 'ada', by: 'oidc' })], 3 * HOUR, 120, paintOf(false))
  const [head, token, person] = text.split('\n').map((line) => line.split(/ {2,}/))
  expect(head).toEqual(['ID', 'BROWSER', 'BY', 'SINCE', 'USED', 'ENDS IN'])
  expect(token?.slice(0, 3)).toEqual(['12', 'Firefox on Linux', 'access token'])
  expect(token?.[3]).toMatch(/^3 ?h.* ago$/)
  expect(token?.[4]).toMatch(/^1 ?h.* ago$/)
  expect(person?.[2]).toBe('ada')
})

test('an empty list says so', () => {
  expect(listed([], 0, 80, paintOf(false))).toBe('No browser is signed in.')
})
