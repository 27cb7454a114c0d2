/** As whom commits are made. */
export type Identity = { name: string; email: string }

/** Who wrote what is in a commit, and who put it there. */
export type Signature = { author: Identity; committer: Identity }

/** Where nobody is known. */
export const beadloom: Identity = { name: 'Beadloom', email: 'beadloom@localhost' }
export const usualSignature: Signature = { author: beadloom, committer: beadloom }

/** `Ada Lovelace <ada@example.org>`, as git writes it. */
export const IDENTITY = /^([^<>\p{Cc}]*[^<>\p{Cc}\s]) *<([^<>\s\p{Cc}]+)>$/u

export function parseIdentity(text: string): Identity | null {
  const [, name, email] = IDENTITY.exec(text.trim()) ?? []
  return name === undefined || email === undefined ? null : { name: name.trim(), email }
}

export const identityText = ({ name, email }: Identity): string => `${name} <${email}>`

/**
 * A person by the name that they signed in with, which may be an address; null: there is nothing in it that git would take.
 */
export function identityOfName(by: string): Identity | null {
  const name = by.replace(/[<>\p{Cc}]/gu, '').trim()
  if (name === '') return null
  const email = /^[^\s@]+@[^\s@]+$/.test(name) ? name : `${name.replace(/\s+/g, '.')}@localhost`
  return { name, email }
}

/** As whom commits are made: as the settings say, else as this person; null: nobody is known. */
export function signatureFrom(
  { author, committer }: { author: Identity | null; committer: Identity | null },
  person: Identity | null,
): Signature {
  const wrote = author ?? person ?? beadloom
  return { author: wrote, committer: committer ?? wrote }
}

/** The line by which hosts of git show who else made a commit. */
export const coAuthored = (who: Identity): string => `Co-authored-by: ${identityText(who)}`
