import { hasRole } from '@beadloom/core/access/roles.ts'
import type { SignInsView } from '@beadloom/core/api/people/sign-ins-api.ts'
import type { Person } from '../../http/access/person.ts'
import { Problem } from '../../ports/problem.ts'
import type { KeptSignIn, SignInStore } from '../../ports/store/people/sign-ins.ts'

type Reads = Pick<SignInStore, 'signIns'>

/**
 * For an admin all browsers, for others their own. A name is not enough: another person, with another subject at the
 * provider, can have the same one.
 */
function visible(store: Reads, person: Person): KeptSignIn[] {
  const all = store.signIns()
  if (hasRole(person.role, 'admin')) return all
  const own = all.find(({ id }) => id === person.signIn)
  return own === undefined ? [] : all.filter(({ via, subject }) => via === own.via && subject === own.subject)
}

/** Newest first. */
export const listSignIns = (store: Reads, person: Person): SignInsView => ({
  items: visible(store, person).map(({ id, name, via, browser, beganAt, usedAt, expiresAt }) => ({
    id,
    name,
    by: via,
    browser,
    beganAt,
    usedAt,
    expiresAt,
    here: id === person.signIn,
  })),
})

/** Closes its sockets within seconds. */
export function endSignIn(store: Reads & Pick<SignInStore, 'endSignIn'>, person: Person, id: number): Problem | void {
  const isTheirs = visible(store, person).some((one) => one.id === id)
  if (!isTheirs || !store.endSignIn(id))
    return new Problem(404, 'not_found', 'That browser is not signed in, or not any more.')
}
