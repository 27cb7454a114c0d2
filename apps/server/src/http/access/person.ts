import type { Standing } from '@beadloom/core/access/standing.ts'
import type { SignedInBy } from '@beadloom/core/access/roles.ts'

/** The person who makes a request, with their role on the server and in projects that have their own. */
export type Person = Standing & {
  name: string
  by: SignedInBy
  /** The browser that asks; absent for a program, or a person whom a proxy has signed in. */
  signIn?: number
}

/** The name of everybody who uses the access token. Nobody else can have it. */
export const TOKEN_NAME = 'token'
/** The name for records; '' for the holder of the access token. */
export const nameOrNobody = ({ by, name }: Person): string => (by === 'token' ? '' : name)

export const tokenPerson: Person = { name: TOKEN_NAME, by: 'token', role: 'admin', own: new Map() }

const LONGEST = 200

/** A name or a group as it may be shown and compared; null if it is not a valid one. */
export function nameFrom(text: string): string | null {
  const name = text.trim().normalize('NFC')
  // Invisible characters, and those that change the direction of text, would make one name look like another.
  const isOdd = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\uFFFD]/u.test(name)
  return name === '' || name.length > LONGEST || isOdd || name === TOKEN_NAME ? null : name
}
