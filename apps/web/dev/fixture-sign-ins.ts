import type { SignInsView, SignInView } from '@beadloom/core/api/people/sign-ins-api.ts'
import { now } from './fixture-data.ts'

/* Made-up browsers; one that is signed out stays so as long as the process. */

const HOUR = 3_600_000

const one = (id: number, browser: string, usedHours: number, given: Partial<SignInView> = {}): SignInView => ({
  id,
  name: 'token',
  by: 'token',
  browser,
  beganAt: now - (usedHours + 30) * HOUR,
  usedAt: now - usedHours * HOUR,
  expiresAt: now + (690 - usedHours) * HOUR,
  here: false,
  ...given,
})

let all: SignInView[] = [
  one(4, 'Firefox on Linux', 0, { here: true }),
  one(3, 'Safari on iPhone', 7),
  one(2, 'Chrome on Windows', 3, {
    name: 'a.name.that.is.as.long.as.names.of.directories.can.be@people.department.example.org',
    by: 'oidc',
  }),
  one(1, 'Another program', 400),
]

export function handleSignIns(method: string, id: string | undefined): SignInsView {
  if (method === 'DELETE') all = all.filter((each) => String(each.id) !== id)
  return { items: all }
}
