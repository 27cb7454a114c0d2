import { hasRole } from '@beadloom/core/access/roles.ts'
import type { KeptSignIn, SignInStore } from '../../ports/store/people/sign-ins.ts'
import { Problem } from '../../ports/problem.ts'
import type { SignInApi } from '../people-ports.ts'
import type { Person } from './person.ts'

/** The signed-in browsers: for an admin all of them, for others their own. */
export function signInList(store: Pick<SignInStore, 'signIns' | 'endSignIn'>): SignInApi {
  /** A name is not enough: another person, with another subject at the provider, can have the same one. */
  function visible(person: Person): KeptSignIn[] {
    const all = store.signIns()
    if (hasRole(person.role, 'admin')) return all
    const own = all.find(({ id }) => id === person.signIn)
    return own === undefined ? [] : all.filter(({ via, subject }) => via === own.via && subject === own.subject)
  }

  return {
    list: (person) => ({
      items: visible(person).map(({ id, name, via, browser, beganAt, usedAt, expiresAt }) => ({
        id,
        name,
        by: via,
        browser,
        beganAt,
        usedAt,
        expiresAt,
        here: id === person.signIn,
      })),
    }),
    end(person, id) {
      const isTheirs = visible(person).some((one) => one.id === id)
      if (!isTheirs || !store.endSignIn(id))
        return new Problem(404, 'not_found', 'That browser is not signed in, or not any more.')
    },
  }
}
